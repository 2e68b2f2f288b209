# SPDX-License-Identifier: MIT
# Completion of rssck for bash. `rssck help --complete` prints commands, options, cases and names.

_rssck()
{
	local IFS=$'\n' word before='' line
	local -a words=()

	# bash treats '=' as a separate word, and does not remove backslashes
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		word=${word//\\/}
		if [ ${#words[@]} -gt 0 ] && [[ $word == = || ${words[-1]} == --*= ]]; then
			words[-1]+=$word
		else
			words+=("$word")
		fi
	done
	word=${words[-1]} COMPREPLY=()
	[[ $word == --*=* ]] && before=${word%%=*}= word=${word#*=}
	for line in $("${COMP_WORDS[0]}" help --complete -- "${words[@]}" 2>/dev/null); do
		line=${line%%$'\t'*}
		case $line in
		:files) COMPREPLY=($(compgen -f -- "$word")) ;;
		:folders) COMPREPLY=($(compgen -d -- "$word")) ;;
		:programs) COMPREPLY=($(compgen -c -f -- "$word")) ;;
		:users) COMPREPLY=($(compgen -u -- "$word")) ;;
		"$before$word"*) COMPREPLY+=("${line#"$before"}") ;;
		esac
	done
	[[ ${COMPREPLY[0]-} == --*= ]] && compopt -o nospace
	# names contain spaces: "top RES"
	[ ${#COMPREPLY[@]} = 0 ] || COMPREPLY=($(printf '%q\n' "${COMPREPLY[@]}"))
}

complete -F _rssck rssck
