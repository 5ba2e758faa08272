extension UnsafeMutablePointer {
  /// The same object as one of its superclasses or subclasses, as C's macros do it.
  func cast<Object>(to type: Object.Type = Object.self) -> UnsafeMutablePointer<Object> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
  }
}
