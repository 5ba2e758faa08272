/// A URL that came back to one of the redirect URIs of a login, not yet believed.
///
/// Only ``NavigationPolicy`` makes one, after it has compared the redirect URI. Query and fragment are two channels and
/// are never merged: a redirect without a fragment inherits that of the page before it (RFC 9110 section 10.2.2), so the
/// other channel may hold anything.
public struct Callback: Sendable {
  /// The URL as the web view or the browser reported it.
  private let uri: [UInt8]
  /// The redirect URI that it matched: that of the request, or an alias.
  package let redirect: RedirectCheck
  /// The cookies and header fields that were found at a ``FinalPage``, if it is one.
  package internal(set) var values: PageValues?
  /// Both channels, decoded once for all readers.
  private let decoded: Result<Channels, Failure>

  /// The longest callback that is read, in bytes.
  package static let maximumLength = 256 * 1_024
  /// The largest number of parameters that are read, in both channels together.
  package static let maximumParameters = 256

  /// `added` is where the redirect URI ends and the part that the provider added begins.
  init(uri: [UInt8], added: Int, redirect: RedirectCheck) {
    // One byte over the limit shows that it was passed.
    self.uri = uri.count > Self.maximumLength ? Array(uri.prefix(Self.maximumLength + 1)) : uri
    self.redirect = redirect
    decoded = Self.decode(self.uri, from: added)
  }

  /// Returns the callback as text, for a caller that parses it with a library of its own.
  package func text() throws(Failure) -> String {
    if uri.count > Self.maximumLength { throw Self.tooLong }
    guard let text = String(validating: uri, as: UTF8.self) else {
      throw .malformedCallback("it is not UTF-8")
    }
    return text
  }

  /// True if the bytes of a state are anywhere in the callback.
  func repeats(_ state: OAuthState) -> Bool {
    let text = Array(state.revealed().utf8)
    return uri.indices.contains { uri[$0] == text.first && uri[$0...].starts(with: text) }
  }

  /// Returns both channels, decoded and within the limits.
  package func channels() throws(Failure) -> Channels { try decoded.get() }

  private static func decode(_ uri: [UInt8], from added: Int) -> Result<Channels, Failure> {
    if uri.count > maximumLength { return .failure(tooLong) }
    let mark = UInt8(ascii: "#")
    let most = maximumParameters + 1
    var channels = Channels()
    var end = added
    if end < uri.count, uri[end] != mark {
      end = channels.query.append(formEncoded: uri.span, from: end + 1, isQuery: true, upTo: most)
    }
    if end < uri.count, uri[end] == mark {
      channels.fragment.append(formEncoded: uri.span, from: end + 1, upTo: most)
    }
    guard channels.query.parameters.count + channels.fragment.parameters.count < most else {
      return .failure(.malformedCallback("it has more than 256 parameters"))
    }
    return .success(channels)
  }

  private static var tooLong: Failure { .malformedCallback("it is longer than 256 KiB") }

  /// The two parts of a URL in which a provider can answer.
  package struct Channels: Sendable {
    package internal(set) var query = ParameterList()
    package internal(set) var fragment = ParameterList()
  }
}

/// A callback holds a code or a token.
extension Callback: Redacted {}

/// The redirect URI that a callback matched.
package enum RedirectCheck: String, Sendable {
  /// The redirect URI of the request.
  case exact
  /// Another form of it that the provider is known to send.
  case alias
}

extension Failure {
  /// A callback that no provider would send.
  package static func malformedCallback(_ reason: Message, details: JSONObject = [:]) -> Failure {
    Failure(.malformedCallback, "the callback is malformed: \(reason)", details: details)
  }
}
