import Glibc
import LoginCore
import Testing

@testable import SoupNetwork

@Suite("Requests to the HTTP server")
struct HTTPServerRequestTests {
  @Test("A repeated header field has no value")
  func field() {
    let once = HTTPServerRequest(path: "/", headers: [Parameter("Origin", "a")])
    #expect(once[header: "origin"] == "a")
    let twice = HTTPServerRequest(path: "/", headers: [Parameter("Origin", "a"), Parameter("ORIGIN", "a")])
    #expect(twice[header: "Origin"] == nil)
  }

  @Test(
    "A cookie is found only by its whole name",
    arguments: ["xid=x; id=a; id=b", "id=a", "y=id;  id=a", "idx=x;id=a"])
  func cookie(field: String) {
    let request = HTTPServerRequest(path: "/", headers: [Parameter("Cookie", field)])
    #expect(request.cookie("id") == "a")
    #expect(request.cookie("d") == nil)
  }

  /// Tables as in /proc/net/tcp and tcp6: this server's ends, clients' ends, and a closed one, which has no inode.
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 0100007F:A001 01 00000000:00000000 00:00000000 00000000  1000        0 11
       1: 0100007F:A001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 12 1 0 20 4 30 10 -1
       2: 0200007F:1F90 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 13
       3: 0100007F:1F90 0200007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 14
       4: 0100007F:A002 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 15
       5: 0100007F:A003 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0
    """
  private static let table6 = """
      sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0000000000000000FFFF00000100007F:A004 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 16
       1: 00000000000000000000000001000000:A005 00000000000000000000000001000000:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 17
    """

  @Test(
    "A connection is the user's own if the client's end is listed for that user or for root",
    arguments: [
      ("127.0.0.1", 0xA001, 1_001, true), ("127.0.0.1", 0xA001, 1_000, false),
      // Another address with the server's own port: the rows of client and server differ only in the address.
      ("127.0.0.2", 0x1F90, 1_001, true), ("127.0.0.2", 0x1F90, 1_000, false),
      // root, a closed end, an end that is gone, and another address
      ("127.0.0.1", 0xA002, 1_000, true), ("127.0.0.1", 0xA003, 1_000, false),
      ("127.0.0.1", 0xA003, 0, false),
      ("127.0.0.1", 0xA009, 1_000, false), ("127.0.0.3", 0xA001, 1_001, false),
      // IPv6, and IPv4 in a form of IPv6
      ("127.0.0.1", 0xA004, 1_000, true), ("127.0.0.1", 0xA004, 1_001, false), ("::1", 0xA005, 1_000, true),
      ("::1", 0xA005, 1_001, false), ("127.0.0.1", 0xA005, 1_000, false),
    ] as [(String, UInt16, uid_t, Bool)])
  func owner(client: String, port: UInt16, user: uid_t, isOwn: Bool) {
    func end(_ port: UInt16, _ last: UInt8) -> SocketEnd {
      SocketEnd(client == "::1" ? [UInt8](repeating: 0, count: 15) + [1] : [127, 0, 0, last], port)
    }
    let connection = TCPConnection(
      client: end(port, client.utf8.last.map { $0 - UInt8(ascii: "0") } ?? 0), server: end(0x1F90, 1))
    #expect(HTTPServerRequest.isOwn(connection, of: user, in: [Self.table, Self.table6]) == isOwn)
    #expect(HTTPServerRequest.isOwn(connection, of: user, in: [Self.table6, Self.table]) == isOwn)
  }

  @Test("Only if no table can be read, every connection counts as the user's own")
  func noTables() {
    let connection = TCPConnection(
      client: SocketEnd([127, 0, 0, 1], 1), server: SocketEnd([127, 0, 0, 1], 2))
    for (tables, isOwn) in [([nil, nil], true), (["", nil], false), ([nil, ""], false)] {
      #expect(HTTPServerRequest.isOwn(connection, of: 1_000, in: tables) == isOwn)
    }
    #expect(!HTTPServerRequest(path: "/").isOwn)
  }

  @Test("The sockets at a port are those that a client of this host reaches, in both families")
  func listeners() {
    func row(_ address: String, _ port: String, _ user: Int, _ state: String = "0A") -> String {
      "0: \(address):\(port) 00000000:0000 \(state) 00000000:00000000 00:00000000 00000000 \(user) 0 11\n"
    }
    func users(
      _ tables: [String?], _ port: UInt16, _ host: RedirectURI.LoopbackHost = .name
    ) -> Set<uid_t>? {
      ListeningSocket.all(at: host, port, in: tables).map { Set($0.map(\.user)) }
    }
    let zeros = String(repeating: "0", count: 24)
    let tables = [
      row("0100007F", "1F90", 1) + row("00000000", "1F90", 2) + row("0100000A", "1F90", 3)
        + row("0100007F", "1F91", 4) + row("0100007F", "1F90", 5, "01") + row("0200007F", "1F90", 10),
      row(zeros + "01000000", "1F90", 6) + row(zeros + "00000000", "1F90", 7)
        + row("0000000000000000FFFF00000100007F", "1F90", 8)
        + row("000080FE0000000000000000" + "01000000", "1F90", 9),
    ]
    #expect(users(tables, 0x1F90) == [1, 2, 6, 7, 8])
    #expect(users(tables, 0x1F90, .ipv4) == [1, 2, 7, 8])
    #expect(users(tables, 0x1F90, .ipv6) == [6, 7])
    #expect(users([tables[0], nil], 0x1F92) == [])
    #expect(users([nil, nil], 0x1F90) == nil)
  }
}
