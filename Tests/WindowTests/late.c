/* Loaded before the other libraries, it hands WebKit what one of its processes says a little later, as a busy machine
   does: nobody promises in which order two of them are heard. Each process has two pairs of sockets, and is heard on the
   second end of its first: NUMBER is 1 for that of the network, which is started first, and 3 for that of the page. The
   file NOTE is there once something has come later. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static int pairs, late = -1;

int socketpair(int domain, int type, int protocol, int ends[2]) {
  int (*next)(int, int, int, int *) = dlsym(RTLD_NEXT, "socketpair");
  int result = next(domain, type, protocol, ends);
  if (result == 0 && (type & SOCK_SEQPACKET) == SOCK_SEQPACKET && ++pairs == NUMBER) late = ends[1];
  return result;
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
  ssize_t (*next)(int, struct msghdr *, int) = dlsym(RTLD_NEXT, "recvmsg");
  ssize_t result = next(socket, message, flags);
  if (result > 0 && socket == late) {
    close(open(NOTE, O_CREAT | O_WRONLY, 0600));
    usleep(100000);
  }
  return result;
}
