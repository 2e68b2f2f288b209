# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Functions for other scripts. apt_mirror LABEL prints the address from which this machine's apt gets the archive
# called LABEL ("Debian", "Debian-Security"); nothing if there is none.

apt_mirror()
{
	# shellcheck disable=SC2016 # apt replaces these, not the shell
	apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk -F '|' -v label="$1" '$1 == label && !found { print $2; found = 1 }'
}

# apt_keys: prints the keys of Debian's archives on this machine, separated by commas; nothing if there are none
apt_keys()
{
	find /usr/share/keyrings -name 'debian-archive-*.gpg' ! -name '*removed*' | sort | paste -sd, -
}

# apt_private FOLDER ARCHITECTURE: writes FOLDER/apt.conf for an apt that reads FOLDER/sources.list. Except for the
# proxy, this apt neither reads nor writes the machine's package state. False if there are no keys.
apt_private()
{
	[ -n "$(apt_keys)" ] || return 1
	mkdir -p "$1/lists/partial" "$1/cache/archives/partial" "$1/state"
	: >"$1/state/status"
	# The signature of an old suite is not renewed, so its date is not checked. The signature itself is checked.
	cat >"$1/apt.conf" <<-END
	Dir::State "$1/state";
	Dir::State::lists "$1/lists";
	Dir::State::status "$1/state/status";
	Dir::Cache "$1/cache";
	Dir::Etc::sourcelist "$1/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	Dir::Etc::preferences "/dev/null";
	Dir::Etc::preferencesparts "/dev/null";
	APT::Architecture "$2";
	APT::Architectures { "$2"; };
	APT::Sandbox::User "$(id -un)";
	Acquire::Languages "none";
	Acquire::Check-Valid-Until "false";
	Acquire::AllowInsecureRepositories "false";
	END
}
