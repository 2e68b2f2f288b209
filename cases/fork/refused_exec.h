// SPDX-License-Identifier: MIT
/* Calls of execve(2) that the kernel refuses, each at another point of its way. */
#ifndef CASES_FORK_REFUSED_EXEC_H
#define CASES_FORK_REFUSED_EXEC_H

#include <link.h>
#include <rssck/case.h>

/* What the file contains. */
enum program {
	NO_FILE,
	A_DIRECTORY,
	NO_PROGRAM,       /* neither ELF nor a script */
	OPEN_TO_WRITE,    /* the same; a descriptor can write it */
	NO_INTERPRETER,   /* a script whose interpreter is not there */
	ITS_OWN,          /* a script that is its own interpreter */
	OTHER_MACHINE,    /* ELF */
	NO_LOADER,        /* ELF whose PT_INTERP is not there */
	LOADER_IS_NO_ELF, /* ELF whose PT_INTERP is a text */
	CANNOT_BE_MAPPED, /* ELF; found out after the old program is gone */
};

/* FEW arguments are up to 1 MiB (argument_size()); MANY are more than execve(2) ever accepts (6
 * MiB). */
enum { NONE = 0, FEW = 16, MANY = 160, ARGUMENT = WORKLOAD_BUFFER };

static const struct refusal {
	const char *name;
	enum program program;
	int arguments;
	bool bad; /* a pointer behind the arguments is not valid */
	int error;
} refusals[] = {
	{ "no file", NO_FILE, FEW, false, ENOENT },
	{ "a directory", A_DIRECTORY, FEW, false, EACCES },
	{ "no program", NO_PROGRAM, NONE, false, ENOEXEC },
	{ "no program, with arguments", NO_PROGRAM, FEW, false, ENOEXEC },
	{ "too many arguments", NO_PROGRAM, MANY, false, E2BIG },
	{ "arguments and a bad pointer", NO_PROGRAM, FEW, true, EFAULT },
	{ "a file that is open for writing", OPEN_TO_WRITE, FEW, false, ETXTBSY },
	{ "a script without its interpreter", NO_INTERPRETER, FEW, false, ENOENT },
	{ "a script that interprets itself", ITS_OWN, FEW, false, ELOOP },
	{ "a program for another machine", OTHER_MACHINE, FEW, false, ENOEXEC },
	{ "a program without its loader", NO_LOADER, FEW, false, ENOENT },
	{ "a program whose loader is a text", LOADER_IS_NO_ELF, FEW, false, ELIBBAD },
};

enum { REFUSALS = sizeof(refusals) / sizeof(*refusals), PATH = 32 };

/* Writes an ELF file with one program header, for this machine unless `p` says otherwise. */
static inline size_t write_elf(enum program p, const char *loader, char *to)
{
	ElfW(Ehdr) header;
	ElfW(Phdr) part = { .p_type = PT_INTERP, .p_offset = sizeof(header) + sizeof(part) };
	int self = open("/proc/thread-self/exe", O_RDONLY | O_CLOEXEC);

	if (self < 0 || read(self, &header, sizeof(header)) != sizeof(header))
		return 0;
	close(self);
	header.e_type = ET_EXEC;
	header.e_phoff = sizeof(header);
	header.e_phnum = 1;
	header.e_machine ^= p == OTHER_MACHINE ? 0x5555 : 0;
	part.p_filesz = part.p_memsz = strlen(loader) + 1;
	/* Its place in the file and in memory are not congruent modulo the size of a page. */
	if (p == CANNOT_BE_MAPPED)
		part = (ElfW(Phdr)) { .p_type = PT_LOAD,
				      .p_flags = PF_R,
				      .p_vaddr = 0x10000008,
				      .p_filesz = 64,
				      .p_memsz = 64 };
	memcpy(to, &header, sizeof(header));
	memcpy(to + sizeof(header), &part, sizeof(part));
	memcpy(to + sizeof(header) + sizeof(part), loader, strlen(loader) + 1);
	return 4096; /* the kernel reads a loader at least as large as its headers */
}

static inline size_t contents(enum program p, const char *path, const char *text, char *to)
{
	switch (p) {
	case NO_INTERPRETER:
		return (size_t)sprintf(to, "#!/nowhere/interpreter\n");
	case ITS_OWN:
		return (size_t)sprintf(to, "#!%s\n", path);
	case NO_PROGRAM:
	case OPEN_TO_WRITE:
		memset(to, 'x', 4096);
		return 4096;
	default:
		return write_elf(p, p == LOADER_IS_NO_ELF ? text : "/nowhere/loader", to);
	}
}

/*
 * Makes the program in a memfd, and writes its path. `text` is the path of a NO_PROGRAM. Returns
 * false if this is not possible.
 */
static inline bool make_program(enum program p, const char *text, char path[PATH])
{
	static char to[8192];
	char name[PATH];
	int fd, readable;
	size_t n;

	if (p == NO_FILE || p == A_DIRECTORY)
		return snprintf(path, PATH, p == NO_FILE ? "/nowhere/program" : "/proc/self") > 0;
	fd = (int)syscall(SYS_memfd_create, "program", 0UL);
	if (fd < 0)
		return false;
	snprintf(name, sizeof(name), "/proc/thread-self/fd/%d", fd);
	readable = open(name, O_RDONLY); /* without O_CLOEXEC, for an interpreter */
	snprintf(path, PATH, "/proc/thread-self/fd/%d", readable);
	memset(to, 0, sizeof(to));
	n = contents(p, path, text, to);
	if (readable < 0 || !n || write(fd, to, n) != (ssize_t)n || fchmod(fd, 0755))
		return false;
	if (p != OPEN_TO_WRITE)
		close(fd);
	return true;
}

/* Returns the bytes of each of FEW arguments: together at most an eighth of RLIMIT_STACK. */
static inline size_t argument_size(void)
{
	struct rlimit stack = { 0 };

	getrlimit(RLIMIT_STACK, &stack);
	return stack.rlim_cur < 8 * FEW * ARGUMENT ? stack.rlim_cur / 8 / FEW : ARGUMENT;
}

static inline char **arguments(int n, bool bad)
{
	static char *list[MANY + 2];
	size_t size = n == FEW ? argument_size() : ARGUMENT;

	memset(workload_buffer, 'x', size);
	workload_buffer[size - 1] = '\0';
	for (int i = 0; i < n; i++)
		list[i] = workload_buffer;
	list[n] = bad ? (char *)8 : NULL;
	list[n + 1] = NULL;
	return list;
}

/*
 * Returns the error of execve(2). A file that is open for writing may be executed on some kernels,
 * such as 6.11; it is no program.
 */
static inline int try_exec(const struct refusal *r, const char *path)
{
	char *none[] = { NULL };

	execve(path, arguments(r->arguments, r->bad), none);
	return r->error == ETXTBSY && errno == ENOEXEC ? ETXTBSY : errno;
}

#endif
