import Foundation
import Glibc

/// A server on 127.0.0.1 that sends exactly the bytes of its script, with its pauses, and records the bytes it receives.
/// Use it to test a client of HTTP; ``StandInServer`` is easier where the bytes do not matter.
public final class ScriptedServer: Sendable {
  /// Serves one connection on a thread of its own. The connection is closed afterwards.
  public typealias Script = @Sendable (any Wire) -> Void

  public let port: UInt16
  private let listener: Int32
  private let log = Log()
  private let threads = DispatchGroup()
  private let offersHTTP2: Bool

  /// Listens on a free port. With an identity the server speaks TLS. Like most servers, it then prefers HTTP/2, although it
  /// cannot speak it: a client that offers HTTP/2 fails, unless `offersHTTP2` is false.
  public init(
    identity: TestAuthority.Identity? = nil, offersHTTP2: Bool = true, _ script: @escaping Script
  ) {
    self.offersHTTP2 = offersHTTP2
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    port = withUnsafeMutableBytes(of: &address) { [listener] bytes in
      guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        bind(listener, address, length) == 0, listen(listener, 16) == 0,
        getsockname(listener, address, &length) == 0
      else { preconditionFailure("no port on 127.0.0.1") }
      return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
    threads.enter()
    Thread.detachNewThread { [self] in
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        serve(descriptor, identity, script)
      }
      threads.leave()
    }
  }

  /// The number of connections so far.
  public var connections: Int { log.with { $0.open.count + $0.closed } }

  /// The number of connections that are open.
  public var openConnections: Int { log.with { $0.open.count } }

  /// The text received over all connections, decrypted if the server speaks TLS.
  public var heard: String { log.with { String(decoding: $0.heard, as: UTF8.self) } }

  /// Returns true if the clients close all connections within a second.
  public func closesAlone() -> Bool {
    for _ in 0..<100 {
      if log.with({ $0.open.isEmpty }) { return true }
      usleep(10_000)
    }
    return false
  }

  /// Closes every connection and ends every thread.
  public func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    log.with { state in
      state.isStopped = true
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    threads.wait()
    close(listener)
  }

  private func serve(_ descriptor: Int32, _ identity: TestAuthority.Identity?, _ script: @escaping Script) {
    log.with { state in
      state.open.insert(descriptor)
      if state.isStopped { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    threads.enter()
    Thread.detachNewThread { [self] in
      let hear: @Sendable ([UInt8]) -> Void = { [log] bytes in log.with { $0.heard += bytes } }
      if let identity {
        if let wire = TLSWire(descriptor, identity, offersHTTP2: offersHTTP2, hear) { script(wire) }
      } else {
        script(PlainWire(descriptor, hear))
      }
      log.with { state in
        state.open.remove(descriptor)
        state.closed += 1
        close(descriptor)
      }
      threads.leave()
    }
  }

  private final class Log: @unchecked Sendable {  // its state is behind its lock
    struct State {
      var open: Set<Int32> = []
      var closed = 0
      var heard: [UInt8] = []
      var isStopped = false
    }

    private let lock = NSLock()
    private var state = State()

    func with<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock { body(&state) } }
  }
}
