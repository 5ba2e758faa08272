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

  /// A table as in /proc/net/tcp: the server's end, the client's end of user 1000, and another connection.
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 0100007F:A001 01 00000000:00000000 00:00000000 00000000     7        0 11
       1: 0100007F:A001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 12
       2: 0100007F:A001 0100007F:1F91 01 00000000:00000000 00:00000000 00000000  1001        0 13
    """

  @Test(
    "A connection is the user's own if /proc/net/tcp lists the client's end for that user or not at all",
    arguments: [(1_000, 0x1F90, true), (1_001, 0x1F90, false), (7, 0x1F90, false), (1_000, 0x1F92, true)]
      as [(uid_t, UInt16, Bool)])
  func owner(user: uid_t, server: UInt16, isOwn: Bool) {
    let ports: (UInt16, UInt16) = (0xA001, server)
    #expect(HTTPServerRequest.isOwn(ports, of: user, in: [Self.table, ""]) == isOwn)
    #expect(HTTPServerRequest.isOwn(ports, of: user, in: ["", Self.table]) == isOwn)
  }
}
