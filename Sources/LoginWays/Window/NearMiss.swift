import LoginCore

extension NavigationPolicy {
  /// What is wrong with a navigation on the web that brings an answer to an address which is all but the redirect URI:
  /// the one that is registered at the provider is another than the application has named. Nothing for any other.
  package func nearMiss(_ uri: [UInt8]) -> PageRefusal? {
    let end = uri.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? uri.endIndex
    guard uri[end...].isAnswer else { return nil }
    return wrongAddress(uri) { Self.isNear($0, $1) }
  }

  /// Whether a navigation to where no page can come from may be meant as the answer, and does not just have another
  /// program do something, such as the one by which the user proves who it is.
  package func mayBeMeant(_ uri: [UInt8]) -> Bool {
    let end = uri.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? uri.endIndex
    if uri[end...].isAnswer { return true }
    let scheme = uri.prefix { $0 != UInt8(ascii: ":") }.map(\.lowercased)
    return redirectTexts.contains {
      Array($0.utf8.prefix { $0 != UInt8(ascii: ":") }).map(\.lowercased) == scheme
    }
  }

  /// What is wrong with a navigation to where no page can come from.
  package func refusal(of uri: [UInt8]) -> PageRefusal {
    wrongAddress(uri) { _, _ in true } ?? .address("", redirectURI: "")
  }

  /// The address without what was added to it, beside the redirect URI that it is most like.
  private func wrongAddress(_ uri: [UInt8], _ isMeant: (AddressParts, AddressParts) -> Bool) -> PageRefusal? {
    let end = uri.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? uri.endIndex
    let text = String(decoding: uri[..<end].prefix(2_000), as: UTF8.self).forDisplay(limit: 300)
    guard let parts = AddressParts(text) else { return nil }
    let candidates = redirectTexts.filter { redirect in
      AddressParts(redirect).map { isMeant(parts, $0) } ?? false
    }
    let nearest = candidates.min {
      PageRefusal.differences(text, $0).count < PageRefusal.differences(text, $1).count
    }
    return nearest.map { .address(text, redirectURI: $0.forDisplay(limit: 300)) }
  }

  private static func isNear(_ one: AddressParts, _ other: AddressParts) -> Bool {
    let path = { (parts: AddressParts) in
      let plain = String(decoding: PercentEncoding.normalize(Array(parts.path.utf8)), as: UTF8.self)
        .lowercased()
      return plain.hasSuffix("/") ? String(plain.dropLast()) : plain
    }
    return one.machine == other.machine && path(one) == path(other)
  }
}

extension ArraySlice<UInt8> {
  /// Whether one of the parameters that an answer has is in a query or a fragment.
  fileprivate var isAnswer: Bool {
    split { "?#&".utf8.contains($0) }.contains { parameter in
      ["code=", "error=", "access_token=", "id_token=", "response="].contains {
        parameter.starts(with: $0.utf8)
      }
    }
  }
}
