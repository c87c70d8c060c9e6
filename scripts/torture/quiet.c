/* Writes down every try to leave the machine, to the file QUIET_LOG, and refuses it: connections, packets and names
 * that are looked up. Sockets of this machine pass. Loaded before libc (LD_PRELOAD); `cc -shared -fPIC`. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(const char *what, const char *where) {
  const char *log = getenv("QUIET_LOG");
  char line[512];
  int n = snprintf(line, sizeof line, "%s %s\n", what, where ? where : "?");
  int file = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  if (file < 0) return;
  if (write(file, line, (size_t)n) < 0) abort();
  close(file);
}

static int leaves(const char *what, const struct sockaddr *to) {
  char text[INET6_ADDRSTRLEN] = "?";
  if (!to) return 0;
  if (to->sa_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)to;
    if ((ntohl(v4->sin_addr.s_addr) >> 24) == 127) return 0;
    inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
  } else if (to->sa_family == AF_INET6) {
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)to;
    if (IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr)) return 0;
    inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
  } else {
    return 0;
  }
  note(what, text);
  errno = ENETUNREACH;
  return 1;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

int connect(int fd, const struct sockaddr *to, socklen_t n) {
  return leaves("connect", to) ? -1 : REAL(int, connect, int, const struct sockaddr *, socklen_t)(fd, to, n);
}
ssize_t sendto(int fd, const void *b, size_t n, int flags, const struct sockaddr *to, socklen_t size) {
  return leaves("sendto", to) ? -1 : REAL(ssize_t, sendto, int, const void *, size_t, int, const struct sockaddr *, socklen_t)(fd, b, n, flags, to, size);
}
ssize_t sendmsg(int fd, const struct msghdr *m, int flags) {
  return leaves("sendmsg", m->msg_name) ? -1 : REAL(ssize_t, sendmsg, int, const struct msghdr *, int)(fd, m, flags);
}
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  if (name && strcmp(name, "localhost") && !(hints && hints->ai_flags & AI_NUMERICHOST)) {
    note("look up", name);
    return EAI_AGAIN;
  }
  return REAL(int, getaddrinfo, const char *, const char *, const struct addrinfo *, struct addrinfo **)(name, service, hints, found);
}
