# SPDX-License-Identifier: MIT
# Packages of rssck: included by the Makefile.

.PHONY: dist static cross check-static deb check-deb check-installed rpm apk check-apk kselftest check-lava check-package

dist: ## a source tarball of HEAD in build/: it builds without git, and is proved to
	@MAKE='$(MAKE)' sh harness/package/dist.sh $(VERSION)

static: ## build/rssck-VERSION-ARCH: static programs to copy to any Linux [ARCH=aarch64 CC=aarch64-linux-gnu-gcc]
	@MAKE='$(MAKE)' $(if $(filter default file,$(origin CC)),,CC='$(CC)') sh harness/package/static.sh $(VERSION) $(ARCH)

cross: ## build/cross/ARCH: static programs and busybox for guests of another machine [ARCH=arm64 ppc64el riscv64 s390x i386]
	@MAKE='$(MAKE)' $(if $(filter default file,$(origin CC)),,CC='$(CC)') sh harness/package/cross.sh $(VERSION) $(ARCH)

check-static: ## boot kernels with that folder and busybox, nothing else [ARCH=aarch64 KERNELS="6.1 7.2" CASES="file fork"]
	@sh harness/package/check-static.sh $(VERSION) $(ARCH)

deb: dist ## Debian packages into build/deb
	@sh harness/package/deb.sh $(VERSION)

check-deb: dist ## the same, built twice and compared, and lintian
	@sh harness/package/deb.sh $(VERSION) check

check-installed: deb ## those packages in bare trees of Debian: installed, used, removed, nothing left [SUITES="trixie sid"]
	@mkdir -p build/installed && rm -rf build/installed/* && cp build/deb/*.deb build/installed
	@rm -f build/installed/*-dbgsym_*
	@PACKAGES=$(CURDIR)/build/installed USERS=root CLANG= sh harness/fresh/check-fresh.sh $(or $(SUITES),trixie sid)

rpm: dist ## RPM packages into build/rpm, and what rpmlint says of them
	@sh harness/package/rpm.sh $(VERSION)

apk: dist ## what Alpine's abuild takes, into build/apk
	@sh harness/package/apk.sh $(VERSION)

check-apk: dist ## the same, and what abuild would do with it, done here
	@sh harness/package/apk.sh $(VERSION) check

kselftest: all ## the layout of a collection of the kernel's selftests below DESTDIR
	@sh harness/package/kselftest.sh '$(DESTDIR)'

check-lava: ## one job of LAVA's on a QEMU device, by lava-run [KERNELS=6.12 CASES="file fork"]
	@sh harness/package/lava/check-lava.sh $(VERSION)

check-package: ## out-of-tree builds, read-only sources, uninstall, format-check, the tarball
	@MAKE='$(MAKE)' sh harness/tests/package.sh $(VERSION)
