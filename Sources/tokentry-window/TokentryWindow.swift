import Glibc

/// The program that `tokentry` starts to show a page: see tokentry-window(1).
@main
enum TokentryWindow {
  static func main() { exit(WindowProcess.run()) }
}
