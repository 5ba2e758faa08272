/* A preloaded library that delays the messages from one of WebKit's processes, because a busy machine may deliver the
   messages of two processes in any order. The window receives them on the second end of the process's first socket
   pair of two: NUMBER is 1 for the network process, which starts first, and 3 for the page's process. The file NOTE
   exists once a message was delayed. */
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
