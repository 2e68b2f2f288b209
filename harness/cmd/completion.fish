# SPDX-License-Identifier: MIT
# Completion of rssck's commands, options and names for fish; options are what `rssck help COMMAND` says.

function __rssck_commands
	rssck help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1\t\2/p'
end

function __rssck_options
	set -l words (commandline -opc)
	rssck help $words[2] 2>/dev/null | sed -n 's/^  \(--[a-z-]*=\{0,1\}\)[^ ]*  *\(.*\)/\1\t\2/p'
end

function __rssck_values
	switch (commandline -ct)
		case '--format=*'
			printf '%s\n' --format={text,json,ktap,junit,markdown,html,history}
		case '--color=*'
			printf '%s\n' --color={auto,always,never}
		case '--by=*'
			printf '%s\n' --by={process,program,user}
		case '--sort=*'
			printf '%s\n' --sort={pss,uss,rss,swap,one-more,name,pid}
	end
end

function __rssck_names
	set -l words (commandline -opc)
	switch $words[2]
		case help
			__rssck_commands
		case explain
			rssck explain --list 2>/dev/null
		case scan
			string match -rg '^/proc/([0-9]+)$' /proc/*
		case check list demo vm
			rssck list 2>/dev/null | cut -d ' ' -f 1
	end
end

function __rssck_wants_command
	test (count (commandline -opc)) -eq 1
end

function __rssck_wants_file
	string match -qr ' (compare|report) ' (commandline)
end

complete -c rssck -f
complete -c rssck -n __rssck_wants_command -a '(__rssck_commands)'
complete -c rssck -n 'not __rssck_wants_command; and string match -q -- "-*" (commandline -ct)' -a '(__rssck_options)'
complete -c rssck -n 'not __rssck_wants_command' -a '(__rssck_values)'
complete -c rssck -n 'not __rssck_wants_command' -a '(__rssck_names)'
complete -c rssck -n __rssck_wants_file -F
