# SPDX-License-Identifier: MIT
# Completion of rssck for fish. `rssck help --complete` prints commands, options, cases and names.

function __rssck
	set -l words (commandline -opc)
	set -l word (commandline -ct)
	set -l before (string match -r -- '^--[^=]*=' $word)
	set -l value (string replace -r -- '^--[^=]*=' '' $word)
	set -l lines ($words[1] help --complete -- $words[2..] "$word" 2>/dev/null)

	switch "$lines[1]"
		case ':files'
			string replace -r '^' -- "$before" (__fish_complete_path "$value")
		case ':folders'
			string replace -r '^' -- "$before" (__fish_complete_directories "$value")
		case ':programs'
			__fish_complete_command
		case ':users'
			string replace -r '^' -- "$before" (__fish_complete_users)
		case '*'
			printf '%s\n' $lines
	end
end

complete -c rssck -f -a '(__rssck)'
