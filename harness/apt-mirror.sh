# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# For other scripts: apt_mirror LABEL prints where this machine's apt gets the archive with that label from ("Debian",
# "Debian-Security"), or nothing.

apt_mirror()
{
	# shellcheck disable=SC2016 # apt replaces these, not the shell
	apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk -F '|' -v label="$1" '$1 == label && !found { print $2; found = 1 }'
}
