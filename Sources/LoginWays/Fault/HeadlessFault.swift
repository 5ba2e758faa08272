import LoginCore

/// Why a test without a user has come to no answer.
package enum HeadlessFault: ApplicationFault {
  /// A page leads on and on.
  case redirects(Int)
  /// One page with a form comes after the other.
  case forms(Int)
  /// A page leads to what is no address at all.
  case nowhere
  /// A page leads to an address that is not opened.
  case address(String, AddressFault)
  case listEnded
  /// The list of navigations cannot be read, in the system's words.
  case list(String)

  package var concernsOthers: Bool {
    switch self {
    case .redirects, .forms, .nowhere, .address, .listEnded: true
    case .list: false
    }
  }
}
