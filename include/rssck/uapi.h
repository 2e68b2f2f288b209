// SPDX-License-Identifier: MIT
/*
 * Constants of the kernel's interface that older system headers lack, with the kernel's own names.
 * Whether the running kernel has a feature is found out by using the feature.
 */
#ifndef RSSCK_UAPI_H
#define RSSCK_UAPI_H

#include <sys/mman.h>
#include <sys/syscall.h>

/* clang-format off */

/* <asm-generic/mman-common.h>, <linux/mman.h> */
#ifndef MADV_COLD
#define MADV_COLD 20 /* since 5.4 */
#endif
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21 /* since 5.4 */
#endif
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* since 5.14 */
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since 5.14 */
#endif
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24 /* since 5.18 */
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* since 6.1 */
#endif
#ifndef MADV_HWPOISON
#define MADV_HWPOISON 100
#endif
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* since 6.13 */
#endif
#ifndef MADV_GUARD_REMOVE
#define MADV_GUARD_REMOVE 103 /* since 6.13 */
#endif
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4 /* since 5.7 */
#endif
#ifndef MLOCK_ONFAULT
#define MLOCK_ONFAULT 1 /* since 4.4 */
#endif

/* <linux/userfaultfd.h> */
#ifndef UFFD_FEATURE_WP_HUGETLBFS_SHMEM
#define UFFD_FEATURE_WP_HUGETLBFS_SHMEM (1 << 12) /* since 5.19 */
#endif
#ifndef UFFD_FEATURE_WP_UNPOPULATED
#define UFFD_FEATURE_WP_UNPOPULATED (1 << 13) /* since 6.4 */
#endif

/* <asm/unistd.h>: numbers of calls added since 5.1 are the same on most architectures */
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* since 5.3 */
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440 /* since 5.10 */
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447 /* since 5.14 */
#endif

/* <linux/mempolicy.h> */
#ifndef MPOL_DEFAULT
#define MPOL_DEFAULT 0
#endif
#ifndef MPOL_BIND
#define MPOL_BIND 2
#endif
#ifndef MPOL_LOCAL
#define MPOL_LOCAL 4
#endif
#ifndef MPOL_F_MEMS_ALLOWED
#define MPOL_F_MEMS_ALLOWED 4
#endif
#ifndef MPOL_MF_MOVE
#define MPOL_MF_MOVE 2
#endif
#ifndef MPOL_MF_MOVE_ALL
#define MPOL_MF_MOVE_ALL 4
#endif

/* <linux/prctl.h> */
#ifndef PR_THP_DISABLE_EXCEPT_ADVISED
#define PR_THP_DISABLE_EXCEPT_ADVISED (1 << 1) /* since 6.18 */
#endif

/* <linux/userfaultfd.h>, <linux/fs.h> */
#ifndef UFFDIO_REGISTER_MODE_MINOR
#define UFFDIO_REGISTER_MODE_MINOR (1 << 2) /* since 5.13 */
#endif
#ifndef UFFD_FEATURE_MINOR_SHMEM
#define UFFD_FEATURE_MINOR_SHMEM (1 << 10) /* since 5.14 */
#endif
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15) /* since 6.7 */
#endif
#ifndef PM_SCAN_WP_MATCHING
#define PM_SCAN_WP_MATCHING (1 << 0) /* since 6.7 */
#endif

/* <linux/magic.h> */
#ifndef RAMFS_MAGIC
#define RAMFS_MAGIC 0x858458f6
#endif
#ifndef FUSE_SUPER_MAGIC
#define FUSE_SUPER_MAGIC 0x65735546
#endif
#ifndef HUGETLBFS_MAGIC
#define HUGETLBFS_MAGIC 0x958458f6
#endif
#ifndef OVERLAYFS_SUPER_MAGIC
#define OVERLAYFS_SUPER_MAGIC 0x794c7630
#endif
#ifndef SYSFS_MAGIC
#define SYSFS_MAGIC 0x62656572
#endif
#ifndef TMPFS_MAGIC
#define TMPFS_MAGIC 0x01021994
#endif

/* clang-format on */

#endif
