import LoginCore
import Testing

@testable import tokentry

/// Reads a head of these lines, each of which ends as HTTP wants it.
private func request(_ lines: String...) throws(GateRefusal) -> GateRequest {
  try GateRequest(lines.map { Array($0.utf8) + [0x0D] })
}

/// The status of the gate's refusal, or nil if it reads the head.
private func refusal(_ lines: [[UInt8]]) -> Int? {
  do throws(GateRefusal) {
    _ = try GateRequest(lines)
    return nil
  } catch {
    return error.status
  }
}

@Suite("The head of a request to a gate")
struct GateRequestTests {
  @Test("Method, path, query and fields stay as they came")
  func plain() throws {
    let request = try request("PROPFIND /a%2Fb//c;d?x=/../'&y HTTP/1.1", "Host: h", "X-A:  b c\t", "x-a:")
    #expect(request.method == "PROPFIND" && request.path == "/a%2Fb//c;d" && request.query == "x=/../'&y")
    #expect(request.fields.map { "\($0.name)=\($0.value)" } == ["Host=h", "X-A=b c", "x-a="])
    #expect(request.body == .none && request.keepsConnection && !request.isOld && !request.expectsSign)
  }

  @Test(
    "A head that two servers could read in two ways is refused",
    arguments: [
      "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /", "GET / HTTP/2.0", "GET / http/1.1",
      "G\u{E9}T / HTTP/1.1", "GET http://h/ HTTP/1.1", "GET h:80 HTTP/1.1", "OPTIONS * HTTP/1.1",
      "GET //h/ HTTP/1.1", "GET /a#b HTTP/1.1", "GET /\u{E9} HTTP/1.1", "GET /a\tb HTTP/1.1",
      "GET /%2 HTTP/1.1",
      "GET /?%zz HTTP/1.1", "GET /%00 HTTP/1.1", "GET /../a HTTP/1.1", "GET /a/.. HTTP/1.1",
      "GET /a/. HTTP/1.1",
      "GET /%2e%2E/a HTTP/1.1", "GET /.%2e/a HTTP/1.1", "GET /a%2f..%2fb HTTP/1.1", "GET /a\\..\\b HTTP/1.1",
      "GET /a%5c..%5cb HTTP/1.1",
    ])
  func firstLines(line: String) { #expect(refusal([Array(line.utf8) + [0x0D]]) == 400) }

  @Test(
    "Dots that lead nowhere are part of a name", arguments: ["/...", "/a..b", "/.a", "/a.", "/%2e%2e%2e"])
  func dots(path: String) throws { #expect(try request("GET \(path) HTTP/1.1").path == path) }

  @Test(
    "A line that is not one field is refused",
    arguments: [
      "A", ": b", "A : b", " A: b", "\tA: b", "A\u{7F}: b", "A: b\u{0}c", "A: b\rB: c", "A: b\u{7F}", "A(: b",
      "Content-Length: 1, 1", "Content-Length: -1", "Content-Length: +1", "Content-Length: 0x1",
      "Content-Length:", "Content-Length: 99999999999999999999", "Transfer-Encoding: gzip",
      "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: xchunked", "Transfer-Encoding: \u{B}chunked",
    ])
  func fields(line: String) {
    #expect(refusal(["GET / HTTP/1.1\r", line + "\r"].map { Array($0.utf8) }) == 400)
  }

  @Test(
    "Two answers to the question where the body ends are refused",
    arguments: [
      ["Content-Length: 1", "Content-Length: 1"], ["Content-Length: 1", "content-length: 2"],
      ["Content-Length: 1", "Transfer-Encoding: chunked"],
      ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
    ])
  func twoEnds(lines: [String]) {
    #expect(refusal((["POST / HTTP/1.1"] + lines).map { Array("\($0)\r".utf8) }) == 400)
  }

  @Test("Bytes that are not text, and a lone line feed, are refused")
  func bytes() {
    #expect(refusal([Array("GET / HTTP/1.1\r".utf8), [0x41, 0x3A, 0xFF, 0x0D]]) == 400)
    #expect(refusal([Array("GET / HTTP/1.1".utf8)]) == 400)
    #expect(refusal([Array("GET / HTTP/1.1\r".utf8), Array("A: b".utf8)]) == 400)
    #expect(refusal([]) == 400)
    #expect(refusal(["POST / HTTP/1.0\r", "Transfer-Encoding: chunked\r"].map { Array($0.utf8) }) == 400)
  }

  @Test("What HTTP can do and a gate does not is refused with its own status")
  func unsupported() throws {
    #expect(refusal([Array("CONNECT /a HTTP/1.1\r".utf8)]) == 501)
    #expect(refusal([Array("TRACE / HTTP/1.1\r".utf8)]) == 501)
    let upgrade = ["GET / HTTP/1.1\r", "Connection: keep-alive, Upgrade\r", "Upgrade: websocket\r"]
    #expect(refusal(upgrade.map { Array($0.utf8) }) == 501)
    #expect(refusal(["GET / HTTP/1.1\r", "Expect: money\r"].map { Array($0.utf8) }) == 417)
    _ = try request(
      "GET / HTTP/1.1", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: A")
  }

  @Test("The head says how the body ends, and whether the connection does")
  func framing() throws {
    #expect(try request("POST / HTTP/1.1", "Content-Length: 7").body == .length(7))
    #expect(try request("POST / HTTP/1.1", "Content-Length: 0").body == .none)
    let chunked = try request("POST / HTTP/1.1", "transfer-encoding: Chunked", "Expect: 100-Continue")
    #expect(chunked.body == .chunks && chunked.expectsSign)
    #expect(try !request("GET / HTTP/1.1", "Connection: x , CLOSE").keepsConnection)
    let old = try request("POST / HTTP/1.0", "Content-Length: 7", "Expect: 100-continue")
    #expect(old.isOld && !old.keepsConnection && !old.expectsSign)
  }
}
