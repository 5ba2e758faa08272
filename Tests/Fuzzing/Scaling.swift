import Glibc

/// Measures if the time of a check grows in proportion to its input, rather than with the square.
enum Scaling {
  /// Prints a line for each kind of growth. Returns the exit status of the program.
  static func judge(_ target: FuzzTarget) -> CInt {
    var isLinear = true
    for (check, growth) in target.checks.flatMap({ check in check.growing.map { (check, $0) } }) {
      let (less, more) = (
        time(of: check, growth.input(sizes.less)), time(of: check, growth.input(sizes.more))
      )
      let ratio = Double(more) / Double(max(less, 1))
      // A very short time tells nothing about its growth.
      let holds = ratio < mostRatio || more < negligible
      if !holds { isLinear = false }
      print(
        target.name, growth.name, "\(less / 1_000) us,", "\(more / 1_000) us:",
        holds ? "linear" : "NOT LINEAR")
    }
    return isLinear ? 0 : 1
  }

  private static let sizes = (less: 2_048, more: 16_384)
  /// Half-way between linear (8) and quadratic (64) growth, on a logarithmic scale.
  private static let mostRatio = 24.0
  private static let negligible: Int64 = 20_000_000

  /// Returns the shortest of three runs, in nanoseconds of processor time, which does not depend on other programs.
  private static func time(of check: Check, _ input: [UInt8]) -> Int64 {
    (0..<3).map { _ in
      let start = now()
      check.read(input)
      return now() - start
    }.min() ?? 0
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
