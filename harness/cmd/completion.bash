# SPDX-License-Identifier: MIT
# Completion of rssck's commands, options and cases for bash.

_rssck_options()
{
	case $1 in
	check) echo --format= --output= --repeat= --bisect --list --directory= --journal= --limit= --color= --verbose --quiet --help ;;
	list) echo --coverage --format= --json --verbose --help ;;
	explain) echo --kernel= --threads= --pid= --format= --json --no-model --results= --list --manual --help ;;
	compare) echo --format= --json --output= --help ;;
	report) echo --format= --html --history --documents --output= --help ;;
	scan) echo --maps --maps=each --sharers --sharers= --pages= --watch --watch= --all --user= --name= --by= --sort= \
		--format= --json --no-model --color= --help ;;
	run) echo --every= --held= --format= --output= --plot= --error-exitcode= --exits --cgroup --wrapper --no-model --quiet --color= --help ;;
	demo) echo --no-wait --plot --plot= --kernel= --modules= --append= --cpus= --memory= --timeout= --color= --help ;;
	fuzz) echo --seed= --seeds= --time= --steps= --processes= --jobs= --at-once --threads= --verbs= --replay= --keep-going --resume= --case= --directory= --output= --format= --help ;;
	vm) echo --kernel= --programs= --output= --format= --modules= --append= --setup= --cpus= --memory= --timeout= --run= --run-options= --with= --fuzz --fuzz= --bisect --help ;;
	bisect) echo --kernels= --log= --cpus= --memory= --tree= --build= --image= --help ;;
	*) echo --help --version ;;
	esac
}

_rssck_values()
{
	case $1 in
	--format)
		case $2 in
		check | run | vm) echo text ktap junit json ;;
		report) echo markdown html history documents ;;
		*) echo text json ;;
		esac
		;;
	--pid) (cd /proc && echo [0-9]*) ;;
	--by) echo process program user ;;
	--sort) echo pss uss rss swap one-more name pid ;;
	--user) compgen -u ;;
	--maps) echo file each ;;
	--color) echo auto always never ;;
	esac
}

_rssck()
{
	local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} option
	COMPREPLY=()

	# bash takes '=' for a word of its own
	if [ "$current" = = ]; then
		option=${COMP_WORDS[COMP_CWORD - 1]} current=
	elif [ "$COMP_CWORD" -gt 1 ] && [ "${COMP_WORDS[COMP_CWORD - 1]}" = = ]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	case ${option:-} in
	--output | --kernel | --plot | --with | --replay | --log | --image) COMPREPLY=($(compgen -f -- "$current")) && return ;;
	--modules | --programs | --directory | --results | --kernels | --tree) COMPREPLY=($(compgen -d -- "$current")) && return ;;
	--*) COMPREPLY=($(compgen -W "$(_rssck_values "$option" "$command")" -- "$current")) && return ;;
	esac

	if [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W "check list explain compare report scan run fuzz demo vm bisect help --help --version" -- "$current"))
	elif [[ $current == -* ]]; then
		COMPREPLY=($(compgen -W "$(_rssck_options "$command")" -- "$current"))
		[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
	elif [ "$command" = help ]; then
		COMPREPLY=($(compgen -W "check list explain compare report scan run fuzz demo vm bisect" -- "$current"))
	elif [ "$command" = explain ]; then
		# names hold spaces: "top RES"
		local IFS=$'\n'
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" explain --list 2>/dev/null)" -- "$current"))
		[ ${#COMPREPLY[@]} = 0 ] || COMPREPLY=($(printf '%q\n' "${COMPREPLY[@]}"))
	elif [ "$command" = scan ]; then
		COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$current"))
	elif [ "$command" = run ]; then
		COMPREPLY=($(compgen -c -f -- "$current"))
	elif [ "$command" = compare ] || [ "$command" = report ]; then
		COMPREPLY=($(compgen -f -- "$current"))
	else
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" list 2>/dev/null | cut -d ' ' -f 1)" -- "$current"))
	fi
}

complete -F _rssck rssck
