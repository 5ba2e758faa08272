extension CommandLine {
  /// Whether all arguments are UTF-8, so that ``arguments`` has them as they came.
  static var isText: Bool {
    UnsafeBufferPointer(start: unsafeArgv, count: Int(argc)).allSatisfy {
      $0.map { String(validatingCString: $0) != nil } ?? true
    }
  }
}
