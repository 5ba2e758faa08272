import LoginCore

/// Why the window shows no page where a page has led.
package enum PageRefusal: ApplicationFault {
  /// It led to an address that no page can come from, or that is almost the redirect URI, which is told beside it. An
  /// address ends at its query: what is behind may be an answer.
  case address(String, redirectURI: String)
  /// The server asks for a password in the way of HTTP, for which there is no dialog.
  case password(host: String)
  /// The answer is no page but a file of this kind.
  case download(host: String, type: String)
  /// The answer is nothing, with this status.
  case nothing(host: String, status: Int)
  /// The server says that it has failed, with this status. Its page may be there, and is shown then.
  case failed(host: String, status: Int)

  package var concernsOthers: Bool { false }
}

/// What a login ends with that the user has left, or not gone on with, after a page has led to a wrong address.
package enum UserAfterRefusal: ApplicationFault {
  case closed(PageRefusal)
  case waited(PageRefusal)

  package var concernsOthers: Bool { false }
}
