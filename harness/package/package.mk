# SPDX-License-Identifier: MIT
#
# What rssck is handed on as: included by the Makefile.

.PHONY: dist check-package

dist: ## a source tarball of HEAD in build/: it builds without git, and is proved to
	@MAKE='$(MAKE)' sh harness/package/dist.sh $(VERSION)

check-package: ## out-of-tree builds, read-only sources, uninstall, format-check, the tarball
	@MAKE='$(MAKE)' sh harness/tests/package.sh $(VERSION)
