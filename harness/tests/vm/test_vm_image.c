// SPDX-License-Identifier: MIT
/* The machine that a kernel image is for, and the programs that run on it. */
#include "tests/support/files.h"
#include "tests/support/test.h"
#include "vm/image/kernel.h"
#include "vm/image/programs.h"
#include <elf.h>
#include <sys/mman.h>

static const char *file_with(const void *bytes, size_t length, char *path, size_t size)
{
	int fd = memfd_create("image", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), length);
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return path;
}

static void assert_image(const void *bytes, size_t length, int result, const char *words)
{
	struct image image;
	char path[64], why[512] = "";

	assert_int_equal(
		image_check(&image, file_with(bytes, length, path, sizeof(path)), why, sizeof(why)),
		result);
	if (words)
		assert_says(why, words);
}

static void bzimage_make(unsigned char *bytes, size_t size, unsigned paragraphs)
{
	memset(bytes, 0, size);
	memcpy(bytes + 0x202, "HdrS", 4);
	bytes[0x1f1] = 1;
	bytes[0x1f4] = paragraphs;
	bytes[0x206] = 0x0f;
	bytes[0x207] = 0x02;
	bytes[0x236] = 1;
}

TEST(a_complete_bzImage_is_accepted)
{
	unsigned char bytes[1024 + 16 * 4];

	bzimage_make(bytes, sizeof(bytes), 4);
	assert_image(bytes, sizeof(bytes), 0, NULL);
}

TEST(a_truncated_bzImage_is_refused)
{
	unsigned char bytes[1024 + 16 * 4];

	bzimage_make(bytes, sizeof(bytes), 4);
	assert_image(bytes, sizeof(bytes) - 1, -1, "this bzImage is truncated");
}

/* Returns the board of an image with these bytes, or NULL if they are not an image. */
static const char *board_name(const void *bytes, size_t length, unsigned *page_size)
{
	struct image image;
	char path[64], why[512] = "";

	if (image_check(&image, file_with(bytes, length, path, sizeof(path)), why, sizeof(why)))
		return NULL;
	if (page_size)
		*page_size = image.page_size;
	if (image.fd >= 0)
		close(image.fd);
	return image.board->name;
}

TEST(a_bzImage_is_of_32_or_64_bits)
{
	unsigned char bytes[1024 + 16 * 4];

	bzimage_make(bytes, sizeof(bytes), 4);
	assert_string_equal(board_name(bytes, sizeof(bytes), NULL), "amd64");
	bytes[0x236] = 0;
	assert_string_equal(board_name(bytes, sizeof(bytes), NULL), "i386");
}

TEST(an_image_names_its_machine_and_page_size)
{
	unsigned char bytes[1024] = "MZ";
	unsigned page_size = 0;

	memcpy(bytes + 56, "ARM\x64", 4);
	bytes[24] = 2 << 1;
	assert_string_equal(board_name(bytes, sizeof(bytes), &page_size), "arm64");
	assert_int_equal(page_size, 16384);
	bytes[24] = 3 << 1;
	assert_string_equal(board_name(bytes, sizeof(bytes), &page_size), "arm64");
	assert_int_equal(page_size, 65536);
	memcpy(bytes + 56, "RSC\x05", 4);
	assert_string_equal(board_name(bytes, sizeof(bytes), NULL), "riscv64");
}

TEST(a_vmlinux_of_another_machine_is_recognised)
{
	unsigned char big[1024] = { 0 };
	Elf64_Ehdr little = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
		.e_type = ET_EXEC,
		.e_machine = EM_PPC64,
	};

	memcpy(big, &little, sizeof(little));
	assert_string_equal(board_name(big, sizeof(big), NULL), "ppc64el");
	/* arm64 has a vmlinux, too, but QEMU does not boot it */
	little.e_machine = EM_AARCH64;
	memcpy(big, &little, sizeof(little));
	assert_image(big, sizeof(big), -1, "arch/arm64/boot/Image");
	big[EI_DATA] = ELFDATA2MSB;
	big[18] = 0;
	big[19] = EM_S390;
	assert_string_equal(board_name(big, sizeof(big), NULL), "s390x");
}

TEST(an_s390x_bzImage_is_recognised_by_its_magic)
{
	unsigned char *bytes = calloc(1, 0x20000);

	memcpy(bytes + 0x10008, "S390EP", 6);
	assert_string_equal(board_name(bytes, 0x20000, NULL), "s390x");
	free(bytes);
}

/*
 * The image is compressed by a program of this machine, and may follow a header, as in an EFI
 * image.
 */
TEST(a_compressed_image_is_unpacked)
{
	unsigned char image[1024] = { 0 }, zboot[4096] = "MZ\0\0zimg";
	char path[64], line[128];
	FILE *packed;
	size_t length;

	memcpy(image + 56, "ARM\x64", 4);
	image[24] = 1 << 1;
	snprintf(line, sizeof(line), "gzip -c <%s",
		 file_with(image, sizeof(image), path, sizeof(path)));
	packed = popen(line, "r");
	length = fread(zboot + 64, 1, sizeof(zboot) - 64, packed);
	if (pclose(packed))
		skip();
	assert_string_equal(board_name(zboot + 64, sizeof(zboot) - 64 - 512, NULL), "arm64");
	zboot[8] = 64;
	zboot[12] = length & 0xff;
	zboot[13] = length >> 8;
	assert_string_equal(board_name(zboot, sizeof(zboot), NULL), "arm64");
	zboot[14] = 1;
	assert_image(zboot, sizeof(zboot), -1, "truncated");
}

/* ---- programs ---- */

TEST(amd64_runs_i386_programs_but_i386_runs_no_amd64_programs)
{
	const struct board *amd64 = board_find("amd64"), *i386 = board_find("i386");

	assert_true(board_runs(amd64, &i386->program));
	assert_false(board_runs(i386, &amd64->program));
	assert_false(board_runs(board_find("arm64"), &amd64->program));
	assert_null(board_find("vax"));
}

TEST(missing_guest_programs_name_the_build_command)
{
	struct vm_options o = { .board = board_find("s390x"), .programs = "/nonexistent" };
	char folder[256], why[512] = "";

	assert_int_equal(programs_find(&o, folder, sizeof(folder), why, sizeof(why)), -1);
	assert_says(why, "/nonexistent/rssck: No such file");
	assert_says(why, "make cross ARCH=s390x");
}

TEST(a_program_of_another_machine_is_refused)
{
	struct vm_options o = { .board = board_find("s390x") };
	char found[256], why[512] = "";

	o.programs = in_folder(".");
	assert_int_equal(symlink("/bin/true", in_folder("rssck")), 0);
	assert_int_equal(programs_find(&o, found, sizeof(found), why, sizeof(why)), -1);
	assert_says(why, "of another machine");
}

TEST(text_an_ELF_program_and_a_folder_are_no_kernel)
{
	char text[2048], why[512];
	struct image image;

	memset(text, 'x', sizeof(text));
	assert_image(text, sizeof(text), -1, "not a kernel image");
	assert_image(text, 10, -1, "only 10 bytes");
	assert_int_equal(image_check(&image, "/proc/self/exe", why, sizeof(why)), -1);
	assert_says(why, "is not a kernel for x86-64");
	assert_int_equal(image_check(&image, "/", why, sizeof(why)), -1);
	assert_says(why, "directory");
}
