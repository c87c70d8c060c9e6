/* Fails one I/O call of a process: the FAULT_AT-th that touches a file below FAULT_PATH, with FAULT_ERRNO, and
 * with FAULT_ALL all that follow. Loaded before libc (LD_PRELOAD); `cc -shared -fPIC`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long n_calls;

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
  errno = code ? atoi(code) : EIO;
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
