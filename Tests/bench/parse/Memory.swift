import CGLib
import Glibc

/// The memory of this process that is in use, in bytes.
func residentBytes() -> Int {
  // The second number of this file is resident pages (proc(5)).
  var text: UnsafeMutablePointer<CChar>?
  guard g_file_get_contents("/proc/self/statm", &text, nil, nil) != 0, let text else {
    fatalError("no /proc/self/statm")
  }
  defer { g_free(text) }
  let numbers = String(cString: text).split(separator: " ").compactMap { Int($0) }
  return numbers[1] * Int(sysconf(Int32(_SC_PAGESIZE)))
}
