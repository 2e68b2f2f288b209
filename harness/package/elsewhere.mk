# SPDX-License-Identifier: MIT
# make O=DIR, or make -f ../rssck/Makefile in DIR: links the sources into DIR and builds there. Nothing is written
# into the source folder.

built_in := $(abspath $(or $(O),.))
goals := $(or $(MAKECMDGOALS),all)
linked = cases harness include results Makefile README.md LICENSE .clang-format

.PHONY: $(goals)

# Uses the number of jobs that the Makefile chooses, unless -j is given.
$(firstword $(goals)):
	@mkdir -p '$(built_in)'
	@cd '$(built_in)' && for name in $(linked); do \
		[ ! -e $$name ] || [ -L $$name ] || \
			{ echo "make: $(built_in)/$$name is not a link to the sources: name an empty folder with O=" >&2; exit 2; }; \
		ln -sfn '$(abspath $(sources_in))'/$$name $$name || exit 2; \
	done
	@+$(if $(findstring -j,$(MAKEFLAGS)),,MAKELEVEL=0) $(MAKE) --no-print-directory -C '$(built_in)' -f Makefile O= $(goals)

$(wordlist 2,$(words $(goals)),$(goals)): $(firstword $(goals))
	@:
