import Foundation
import TestSupport
import Testing

@Suite("Mail with a kept token", .blocking)
struct MailTests {
  @Test("curl sends a mail with XOAUTH2 and what token prints, before and after a refresh")
  func curl() throws {
    let services = try Services()
    try services.writePreset()
    try services.logIn("mail")
    let mail = services.folder + "/mail"
    try "Subject: hello\r\n\r\nhello\r\n".write(toFile: mail, atomically: true, encoding: .utf8)
    for (token, validity) in [("T1", "60"), ("T2", "7200")] {
      try services.accept(token)
      let program = try Program.executable().path()
      let script = """
        curl --silent --show-error --url smtp://127.0.0.1:\(services.mailPort) --login-options AUTH=XOAUTH2 \
          --user ann@mail.example: --mail-from ann@mail.example --mail-rcpt bob@mail.example --upload-file '\(mail)' \
          --oauth2-bearer "$('\(program)' token --account mail --min-valid \(validity) --silent --output token)"
        """
      #expect(try shell(script, services) == 0)
    }
    #expect(
      services.log == [
        "SMTP XOAUTH2 user=ann@mail.example good", "SMTP mail", "SMTP XOAUTH2 user=ann@mail.example good",
        "SMTP mail",
      ])
  }

  @Test("--output xoauth2 is what a mail server takes, with the user of the account")
  func response() throws {
    let services = try Services()
    try services.writePreset()
    try services.logIn("mail")
    let response = try services.run(["token", "--account", "mail", "--output", "xoauth2"]).output
    let script =
      "printf 'EHLO me\\r\\nAUTH XOAUTH2 %s\\r\\nQUIT\\r\\n' \(response.dropLast()) | "
      + "curl --silent --max-time 5 telnet://127.0.0.1:\(services.mailPort) >/dev/null"
    _ = try shell(script, services)
    #expect(services.log == ["SMTP XOAUTH2 user=ann@mail.example good"])
  }

  private func shell(_ script: String, _ services: Services) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script]
    process.environment = services.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
