# SPDX-License-Identifier: MIT
# Targets for packages of rssck. The Makefile includes this file.

.PHONY: dist static cross check-static deb check-deb check-installed rpm apk check-apk kselftest check-lava check-package

dist: ## make a source tarball of HEAD in build/, and check that it builds without git
	@MAKE='$(MAKE)' sh harness/package/dist.sh $(VERSION)

static: ## make build/rssck-VERSION-ARCH: static programs to copy to any Linux [ARCH=aarch64 CC=aarch64-linux-gnu-gcc]
	@MAKE='$(MAKE)' $(if $(filter default file,$(origin CC)),,CC='$(CC)') sh harness/package/static.sh $(VERSION) $(ARCH)

cross: ## make build/cross/ARCH: static programs and busybox for guests of another machine [ARCH=arm64 ppc64el riscv64 s390x i386]
	@MAKE='$(MAKE)' $(if $(filter default file,$(origin CC)),,CC='$(CC)') sh harness/package/cross.sh $(VERSION) $(ARCH)

check-static: ## boot kernels with only that folder and busybox [ARCH=aarch64 KERNELS="6.1 7.2" CASES="file fork"]
	@sh harness/package/check-static.sh $(VERSION) $(ARCH)

deb: dist ## make Debian packages in build/deb
	@sh harness/package/deb.sh $(VERSION)

check-deb: dist ## build the Debian packages twice, compare them, and run lintian
	@sh harness/package/deb.sh $(VERSION) check

check-installed: deb ## install, use and remove the packages in minimal Debian systems; nothing may be left [SUITES="trixie sid"]
	@mkdir -p build/installed && rm -rf build/installed/* && cp build/deb/*.deb build/installed
	@rm -f build/installed/*-dbgsym_*
	@PACKAGES=$(CURDIR)/build/installed USERS=root CLANG= sh harness/fresh/check-fresh.sh $(or $(SUITES),trixie sid)

rpm: dist ## make RPM packages in build/rpm, and run rpmlint
	@sh harness/package/rpm.sh $(VERSION)

apk: dist ## make the input for Alpine's abuild in build/apk
	@sh harness/package/apk.sh $(VERSION)

check-apk: dist ## like apk, and do here what abuild would do
	@sh harness/package/apk.sh $(VERSION) check

kselftest: all ## install below DESTDIR in the layout of the kernel's selftests
	@sh harness/package/kselftest.sh '$(DESTDIR)'

check-lava: ## run a LAVA job on a QEMU device, with lava-run [KERNELS=6.12 CASES="file fork"]
	@sh harness/package/lava/check-lava.sh $(VERSION)

check-package: ## test out-of-tree builds, read-only sources, uninstall, format-check and the tarball
	@MAKE='$(MAKE)' sh harness/tests/package.sh $(VERSION)
