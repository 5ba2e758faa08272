import Foundation

/// Checks the accessibility of one of our pages without scripts: names, contrast in light and dark, and the keyboard
/// (WCAG 2.2: 1.1.1, 1.4.3, 1.4.4, 1.4.11, 2.1.1, 2.4.2, 2.4.7, 3.1.1, 3.3.2).
struct PageAudit {
  private let html: String
  private let style: String

  init(_ html: String) {
    self.html = html.replacing(/<style>.*?<\/style>/.dotMatchesNewlines(), with: "")
    style = html.firstMatch(of: /<style>(.*?)<\/style>/.dotMatchesNewlines()).map { String($0.1) } ?? ""
  }

  var faults: [String] { names + controls + keyboard + contrast }

  private var names: [String] {
    var faults: [String] = []
    if html.firstMatch(of: /<html lang="[a-z]+"/) == nil { faults.append("the page has no language") }
    if html.firstMatch(of: /<title>[^<]+<\/title>/) == nil { faults.append("the page has no title") }
    if html.matches(of: /<h1>[^<]+<\/h1>/).count != 1 { faults.append("the page needs exactly one heading") }
    if html.matches(of: /<main[ >]/).count != 1 { faults.append("the page needs exactly one main part") }
    if html.contains(/user-scalable|maximum-scale/) { faults.append("the text cannot be enlarged") }
    for picture in html.matches(of: /<(?:svg|img)[^>]*>/)
    where !picture.0.contains(#/aria-hidden="true"| alt="/#) {
      faults.append("a picture has no name: \(picture.0)")
    }
    return faults
  }

  private var controls: [String] {
    var faults: [String] = []
    for input in html.matches(of: /<input[^>]*>/) where !input.0.contains("type=\"hidden\"") {
      let identifier = input.0.firstMatch(of: #/ id="([^"]+)"/#).map { String($0.1) } ?? ""
      let isNamed = html.matches(of: /<label for="([^"]+)">[^<]+<\/label>/).contains { $0.1 == identifier }
      if !isNamed { faults.append("a field has no label: \(input.0)") }
    }
    for control in html.matches(of: /<(button|a)[ >][^<]*</) where !control.0.contains(/>\s*[^<\s]/) {
      faults.append("a control has no name: \(control.0)")
    }
    return faults
  }

  private var keyboard: [String] {
    var faults: [String] = []
    if html.contains(/tabindex="[1-9]/) {
      faults.append("the order for the keyboard differs from that of the page")
    }
    if style.contains(/outline:\s*(?:none|0)\b/) { faults.append("the style hides the keyboard focus") }
    for name in ["input", "button", "a"] where html.contains("<\(name) ") {
      if !style.contains("\(name):focus-visible") {
        faults.append("\(name) does not show the keyboard focus")
      }
    }
    return faults
  }

  private var contrast: [String] {
    let blocks = style.matches(of: /:root \{(.*?)\}/.dotMatchesNewlines()).map { String($0.1) }
    guard blocks.count == 2 else { return ["there are no colours for light and dark"] }
    let light = Self.colours(in: blocks[0])
    return [light, light.merging(Self.colours(in: blocks[1])) { $1 }].flatMap(contrast)
  }

  /// Compares each rule's colours with its own background, or with every background on which it may appear.
  private func contrast(with colours: [String: Double]) -> [String] {
    var (faults, inherited) = ([String](), [String: String]())
    let grounds = ["card", "page", "wash"].filter { colours[$0] != nil }
    for rule in style.matches(of: /([^{}]+)\{([^{}]*)\}/) where !rule.1.contains(":root") {
      let name = rule.1.trimmingCharacters(in: .whitespacesAndNewlines)
      let base = name.components(separatedBy: ":hover")[0]
      let ink = Self.variable("color", in: rule.2) ?? (base == name ? nil : inherited[base])
      if let ink { inherited[name] = ink }
      let ground = Self.variable("background", in: rule.2)
      for (property, least) in [("color", 4.5), ("fill", 3), ("border-top-color", 3)] {
        guard let ink = property == "color" ? ink : Self.variable(property, in: rule.2) else { continue }
        for ground in ground.map({ [$0] }) ?? grounds {
          let ratio = Self.ratio(colours[ink], colours[ground])
          if ratio < least { faults.append("\(name): \(ink) on \(ground) has a contrast of \(ratio)") }
        }
      }
    }
    return faults
  }

  private static func variable(_ property: String, in rule: Substring) -> String? {
    rule.split(separator: ";").lazy.compactMap { declaration -> String? in
      let parts = declaration.split(separator: ":", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      guard parts.count == 2, parts[0] == property else { return nil }
      return parts[1].firstMatch(of: /^var\(--([a-z-]+)\)$/).map { String($0.1) }
    }.first
  }

  /// The relative luminance of each colour.
  private static func colours(in block: String) -> [String: Double] {
    block.matches(of: /--([a-z-]+): #([0-9a-f]{6});/).reduce(into: [:]) { colours, match in
      let number = Int(match.2, radix: 16) ?? 0
      let (red, green, blue) = (light(number >> 16), light(number >> 8), light(number))
      colours[String(match.1)] = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
  }

  /// The linear value of one of the three components of a colour.
  private static func light(_ part: Int) -> Double {
    let value = Double(part & 0xFF) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func ratio(_ one: Double?, _ other: Double?) -> Double {
    guard let one, let other else { return 0 }
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }
}
