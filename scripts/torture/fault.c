/* Fails one call of a process: the FAULT_AT-th that touches a file below FAULT_PATH, with FAULT_ERRNO, and with
 * FAULT_ALL all that follow; or the FAULT_MALLOC-th time that memory is asked for. FAULT_FIRED is a file that is made
 * when it fails. Loaded before libc (LD_PRELOAD); `cc -shared -fPIC`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long n_calls, n_asked;

/* By the system's own calls: ours would count. */
static void tell(void) {
  const char *fired = getenv("FAULT_FIRED");
  if (fired) syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, fired, O_WRONLY | O_CREAT, 0600));
}

static int is_below(int fd) {
  const char *below = getenv("FAULT_PATH");
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (!below || n <= 0) return 0;
  path[n] = 0;
  return strncmp(path, below, strlen(below)) == 0;
}

static int is_due(void) {
  const char *at = getenv("FAULT_AT"), *code = getenv("FAULT_ERRNO");
  long n = atomic_fetch_add(&n_calls, 1) + 1, due = at ? atol(at) : 0;
  if (!due || (getenv("FAULT_ALL") ? n < due : n != due)) return 0;
  tell();
  errno = code ? atoi(code) : EIO;
  return 1;
}

static int has_no_memory(void) {
  const char *at = getenv("FAULT_MALLOC");
  if (!at || atomic_fetch_add(&n_asked, 1) + 1 != atol(at)) return 0;
  tell();
  errno = ENOMEM;
  return 1;
}

static int fails(int fd) { return is_below(fd) && is_due(); }

static int names_below(const char *path) {
  const char *below = getenv("FAULT_PATH");
  return below && path && strncmp(path, below, strlen(below)) == 0 && is_due();
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *b, size_t n) { return fails(fd) ? -1 : REAL(ssize_t, write, int, const void *, size_t)(fd, b, n); }
ssize_t writev(int fd, const struct iovec *v, int n) { return fails(fd) ? -1 : REAL(ssize_t, writev, int, const struct iovec *, int)(fd, v, n); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { return fails(fd) ? -1 : REAL(ssize_t, pwrite, int, const void *, size_t, off_t)(fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { return fails(fd) ? -1 : REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, b, n, o); }
ssize_t read(int fd, void *b, size_t n) { return fails(fd) ? -1 : REAL(ssize_t, read, int, void *, size_t)(fd, b, n); }
ssize_t pread(int fd, void *b, size_t n, off_t o) { return fails(fd) ? -1 : REAL(ssize_t, pread, int, void *, size_t, off_t)(fd, b, n, o); }
ssize_t pread64(int fd, void *b, size_t n, off64_t o) { return fails(fd) ? -1 : REAL(ssize_t, pread64, int, void *, size_t, off64_t)(fd, b, n, o); }
int fsync(int fd) { return fails(fd) ? -1 : REAL(int, fsync, int)(fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : REAL(int, fdatasync, int)(fd); }
int ftruncate64(int fd, off64_t n) { return fails(fd) ? -1 : REAL(int, ftruncate64, int, off64_t)(fd, n); }
int rename(const char *from, const char *to) { return names_below(from) ? -1 : REAL(int, rename, const char *, const char *)(from, to); }

#define MODE(flags) ({ va_list rest; va_start(rest, flags); mode_t m = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; va_end(rest); m; })

int open(const char *path, int flags, ...) {
  mode_t mode = MODE(flags);
  return names_below(path) ? -1 : REAL(int, open, const char *, int, ...)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  mode_t mode = MODE(flags);
  return names_below(path) ? -1 : REAL(int, open64, const char *, int, ...)(path, flags, mode);
}
int openat(int at, const char *path, int flags, ...) {
  mode_t mode = MODE(flags);
  return names_below(path) ? -1 : REAL(int, openat, int, const char *, int, ...)(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) {
  mode_t mode = MODE(flags);
  return names_below(path) ? -1 : REAL(int, openat64, int, const char *, int, ...)(at, path, flags, mode);
}
void *mmap(void *a, size_t n, int p, int f, int fd, off_t o) { return fd >= 0 && fails(fd) ? MAP_FAILED : REAL(void *, mmap, void *, size_t, int, int, int, off_t)(a, n, p, f, fd, o); }
void *mmap64(void *a, size_t n, int p, int f, int fd, off64_t o) { return fd >= 0 && fails(fd) ? MAP_FAILED : REAL(void *, mmap64, void *, size_t, int, int, int, off64_t)(a, n, p, f, fd, o); }
int unlink(const char *path) { return names_below(path) ? -1 : REAL(int, unlink, const char *)(path); }
int mkdir(const char *path, mode_t mode) { return names_below(path) ? -1 : REAL(int, mkdir, const char *, mode_t)(path, mode); }

/* dlsym itself asks for memory: these go to libc's by its own names. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
void *malloc(size_t n) { return has_no_memory() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return has_no_memory() ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return has_no_memory() ? NULL : __libc_realloc(p, n); }
