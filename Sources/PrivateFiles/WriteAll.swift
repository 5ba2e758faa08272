import Glibc

/// An error of the system, by its number.
package struct SystemFault: Error, Equatable, Sendable {
  /// The code of `errno`.
  package let code: Int32

  /// The last one.
  package init() { code = errno }

  package init(code: Int32) { self.code = code }
}

/// Writes all of it, however often that is interrupted. Where a descriptor does not wait until there is room, since
/// another program has made it so, this does.
package func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: Int32) throws(SystemFault) {
  var rest = Array(bytes)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count < 0, errno == EAGAIN {
      var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&state, 1, -1)
    } else if count == 0 || errno != EINTR {
      throw SystemFault()
    }
  }
}
