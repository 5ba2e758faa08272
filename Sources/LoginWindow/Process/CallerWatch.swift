import Glibc

/// Ends this process, with all that belongs to it, as soon as the program that started it has gone.
///
/// The main thread learns of that as well, but not while GTK and WebKit keep it busy with their start: on a busy
/// machine they do so for seconds, and the next login could show its window beside this one.
enum CallerWatch {
  /// Watches the caller's end of a pipe from a thread of its own, for as long as this process lives.
  static func begin(_ input: Int32) {
    var thread = pthread_t()
    // The descriptor itself is the data of the thread: nothing is allocated.
    let word = UnsafeMutableRawPointer(bitPattern: Int(input))
    let code = pthread_create(
      &thread, nil,
      { word in
        var watched = pollfd(fd: Int32(Int(bitPattern: word)), events: 0, revents: 0)
        while poll(&watched, 1, -1) < 0, errno == EINTR {}
        OwnGroup.end()
      }, word)
    if code == 0 { pthread_detach(thread) }
  }
}
