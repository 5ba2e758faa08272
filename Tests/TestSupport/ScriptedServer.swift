import Foundation
import Glibc

/// A server on 127.0.0.1 that says exactly what its script says, bytes and pauses, and writes down what it hears.
public final class ScriptedServer: Sendable {
  /// What to do with a connection. It runs on a thread of its own, and the connection is closed afterwards.
  public typealias Script = @Sendable (any Wire) -> Void

  /// Where it listens.
  public let port: UInt16
  private let listener: Int32
  private let log = Log()
  private let threads = DispatchGroup()

  /// Starts to listen; with an identity it speaks TLS.
  public init(identity: TestAuthority.Identity? = nil, _ script: @escaping Script) {
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

  /// How many connections were made.
  public var connections: Int { log.with { $0.open.count + $0.closed } }

  /// Everything that was read in all connections, after TLS if there is any.
  public var heard: String { log.with { String(decoding: $0.heard, as: UTF8.self) } }

  /// Whether the clients end all connections by themselves, within a second.
  public func closesAlone() -> Bool {
    for _ in 0..<100 {
      if log.with({ $0.open.isEmpty }) { return true }
      usleep(10_000)
    }
    return false
  }

  /// Ends every connection and every thread.
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
        if let wire = TLSWire(descriptor, identity, hear) { script(wire) }
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
