#compdef rssck
# SPDX-License-Identifier: MIT
# Completion of rssck's commands, options and names for zsh; options are what `rssck help COMMAND` says.

_rssck()
{
	local -a lines
	local command=${words[2]}

	if (( CURRENT == 2 )); then
		lines=(${(f)"$(rssck help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1:\2/p')"})
		_describe command lines
		return
	fi
	case $PREFIX in
	--output=* | --kernel=* | --journal=* | --plot=*) compset -P '*=' && _files; return ;;
	--modules=* | --directory=* | --results=*) compset -P '*=' && _files -/; return ;;
	--format=*) compset -P '*=' && compadd text json ktap junit markdown html history documents; return ;;
	--color=*) compset -P '*=' && compadd auto always never; return ;;
	--by=*) compset -P '*=' && compadd process program user; return ;;
	--sort=*) compset -P '*=' && compadd pss uss rss swap one-more name pid; return ;;
	--user=*) compset -P '*=' && _users; return ;;
	-*)
		lines=(${(f)"$(rssck help $command 2>/dev/null |
			sed -n 's/^  \(--[a-z-]*=\{0,1\}\)[^ ]*  *\(.*\)/\1:\2/p')"})
		_describe -o option lines -S ''
		return ;;
	esac
	case $command in
	help) lines=(${(f)"$(rssck help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p')"}) ;;
	explain) lines=(${(f)"$(rssck explain --list 2>/dev/null)"}) ;;
	scan) lines=(/proc/[0-9]*(N:t)) ;;
	compare | report) _files -g '*.json'; return ;;
	*) lines=(${(f)"$(rssck list 2>/dev/null | cut -d ' ' -f 1)"}) ;;
	esac
	compadd -a lines
}

_rssck "$@"
