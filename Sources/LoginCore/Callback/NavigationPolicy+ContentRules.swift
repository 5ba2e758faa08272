extension NavigationPolicy {
  /// The redirect URIs on the web as the rules of a content blocker (the JSON of WebKit's content extensions)
  /// that keeps their pages from being loaded; nothing if none of them is on the web. What they block is what
  /// ``decision(for:)`` takes for a callback, and nothing else.
  package var contentRules: String? {
    Self.contentRules(landings.filter(\.isWeb).flatMap(\.patterns))
  }

  /// Rules that keep this one address from being loaded, as WebKit reports it. What they are compared with may lack the
  /// fragment.
  package static func contentRules(against uri: [UInt8]) -> String? {
    let address = "^" + RedirectMatcher.escaped(Array(uri.prefix { $0 != UInt8(ascii: "#") }))
    return contentRules([address + "$", address + "#"])
  }

  private static func contentRules(_ patterns: [String]) -> String? {
    if patterns.isEmpty { return nil }
    return JSONValue.array(
      patterns.map { pattern in
        [
          "trigger": [
            "url-filter": .string(pattern), "url-filter-is-case-sensitive": true,
            "resource-type": ["document"],
          ],
          "action": ["type": "block"],
        ]
      }
    ).text
  }
}
