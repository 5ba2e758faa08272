import Glibc
import LoginCore
import SoupNetwork
import Wording

/// What `--data` says is to be sent along: a text, a file, or standard input.
struct Payload {
  let body: RequestBody
  private let start: off_t
  private let isOurs: Bool

  /// What the option names.
  enum Source: Sendable {
    case text(String)
    case file(InputFile)

    init(_ text: String) {
      let isFile = text.utf8.first == UInt8(ascii: "@")
      self = isFile ? .file(InputFile(.data, text.withoutFirstByte)) : .text(text)
    }
  }

  init(_ source: Source) throws(Failure) {
    let file: InputFile
    switch source {
    case .file(let named): file = named
    case .text(let text):
      (body, start, isOurs) = (.bytes(Array(text.utf8)), 0, false)
      return
    }
    let descriptor = try file.open()
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      if !file.isStandardInput { Glibc.close(descriptor) }
      throw .commandLine(.file(file.flag, .unusable(FileFault(path: file.path, reason: .system(EISDIR)))))
    }
    body = .descriptor(descriptor)
    start = lseek(descriptor, 0, SEEK_CUR)
    isOurs = !file.isStandardInput
  }

  /// Whether it is read from a file or a pipe, and so may be of any length.
  var isFile: Bool { if case .descriptor = body { true } else { false } }

  /// Makes it possible to send the body once more; false if that is not possible, since what was read from a pipe
  /// is gone.
  func rewind() -> Bool {
    guard case .descriptor(let descriptor) = body else { return true }
    return start >= 0 && lseek(descriptor, start, SEEK_SET) == start
  }

  func close() {
    if isOurs, case .descriptor(let descriptor) = body { Glibc.close(descriptor) }
  }
}
