import CGLib

/// A `GError`: what went wrong, in words for a person.
public struct GLibError: Error, Sendable {
  /// The family of errors the code belongs to.
  public let domain: GQuark
  /// What went wrong within its family.
  public let code: Int32
  /// What went wrong, in the user's language.
  public let message: String

  /// Takes an error that a C function has returned, and frees it.
  public init(consuming error: UnsafeMutablePointer<GError>) {
    domain = error.pointee.domain
    code = error.pointee.code
    message = String(cString: error.pointee.message)
    g_error_free(error)
  }
}
