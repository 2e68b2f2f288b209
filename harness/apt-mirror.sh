# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# For other scripts. apt_mirror LABEL prints the address from which this machine's apt gets the archive with that
# label ("Debian", "Debian-Security"), or nothing.

apt_mirror()
{
	# shellcheck disable=SC2016 # apt replaces these, not the shell
	apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk -F '|' -v label="$1" '$1 == label && !found { print $2; found = 1 }'
}

# apt_keys: the keys of Debian's archives on this machine, with commas between them, or nothing
apt_keys()
{
	find /usr/share/keyrings -name 'debian-archive-*.gpg' ! -name '*removed*' | sort | paste -sd, -
}

# apt_private FOLDER ARCHITECTURE: writes FOLDER/apt.conf for an apt that reads FOLDER/sources.list, and neither
# reads nor writes the machine's package state, except for its proxy. False without keys.
apt_private()
{
	[ -n "$(apt_keys)" ] || return 1
	mkdir -p "$1/lists/partial" "$1/cache/archives/partial" "$1/state"
	: >"$1/state/status"
	# An old suite is no longer signed anew, so the date of its signature is not checked; the signature
	# is.
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
