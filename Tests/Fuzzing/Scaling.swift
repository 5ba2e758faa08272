import Glibc

/// Whether a room takes eight times as long for what is eight times as large, and not sixty-four times.
enum Scaling {
  /// Prints a line for each kind of growth; the status is that of the program.
  static func judge(_ room: Room) -> CInt {
    var isLinear = true
    for growth in room.growing {
      let (less, more) = (time(of: room, growth.input(sizes.less)), time(of: room, growth.input(sizes.more)))
      let ratio = Double(more) / Double(max(less, 1))
      // What takes no time at all may take it in any way.
      let holds = ratio < mostRatio || more < negligible
      if !holds { isLinear = false }
      print(
        room.name, growth.name, "\(less / 1_000) us,", "\(more / 1_000) us:",
        holds ? "linear" : "NOT LINEAR")
    }
    return isLinear ? 0 : 1
  }

  private static let sizes = (less: 2_048, more: 16_384)
  /// Half-way between what is linear and what is quadratic.
  private static let mostRatio = 24.0
  private static let negligible: Int64 = 20_000_000

  /// The shortest of some runs in nanoseconds of the processor, which other programs do not use.
  private static func time(of room: Room, _ input: [UInt8]) -> Int64 {
    (0..<3).map { _ in
      let start = now()
      room.read(input)
      return now() - start
    }.min() ?? 0
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
