#compdef rssck
# SPDX-License-Identifier: MIT
# Completion of rssck for zsh. `rssck help --complete` prints commands, options, cases and names.

_rssck()
{
	local -a lines=(${(f)"$(${words[1]} help --complete -- ${words[2,CURRENT-1]} "$PREFIX" 2>/dev/null)"})

	[[ $PREFIX == --*=* ]] && compset -P '*=' && lines=(${lines#--*=})
	case ${lines[1]} in
	:files) _files ;;
	:folders) _files -/ ;;
	:programs) _command_names ;;
	:users) _users ;;
	--*) lines=(${${lines//:/\\:}/$'\t'/:}); _describe -o option lines -S '' ;;
	*) lines=(${${lines//:/\\:}/$'\t'/:}); _describe word lines ;;
	esac
}

_rssck "$@"
