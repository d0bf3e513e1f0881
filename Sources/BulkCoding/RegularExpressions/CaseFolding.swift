extension Unicode.Scalar {
  /// The scalar in which all have their place that differ from this one by case alone.
  ///
  /// The standard library has Unicode's mappings between cases, but not the foldings; those follow
  /// from the mappings, but for the exceptions.
  var simpleCaseFolding: Unicode.Scalar {
    if value < 0x80 {
      return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 32) : self
    }
    switch self {
    case "\u{130}", "\u{131}": return self
    case "\u{1FD3}": return "\u{390}"
    case "\u{1FE3}": return "\u{3B0}"
    case "\u{FB05}": return "\u{FB06}"
    default:
      let upper = Self.only(properties.uppercaseMapping) ?? self
      return Self.only(upper.properties.lowercaseMapping) ?? upper
    }
  }

  /// What is compared of several scalars in a row; `ß` is `ss`.
  var fullCaseFolding: [Unicode.Scalar] {
    if value < 0x80 { return [simpleCaseFolding] }
    if self == "\u{130}" { return ["i", "\u{307}"] }
    if self == "\u{131}" { return [self] }
    let upper = simpleCaseFolding.properties.uppercaseMapping
    return upper.unicodeScalars.map(\.simpleCaseFolding)
  }

  private static func only(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }
}

/// The scalars that differ by case alone.
enum CaseClosure {
  /// By simple folding: all scalars that have it, where there are several; at most four.
  private static let classes: [Unicode.Scalar: [Unicode.Scalar]] = {
    var found: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    // No scalar above has a case.
    for value in UInt32(0)..<0x1_F000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folding = scalar.simpleCaseFolding
      if folding != scalar { found[folding, default: [folding]].append(scalar) }
    }
    return found
  }()

  static func equivalents(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    classes[scalar.simpleCaseFolding] ?? [scalar]
  }
}
