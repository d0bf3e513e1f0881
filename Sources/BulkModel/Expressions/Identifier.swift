/// The syntax of names in expressions, and the escaping of other names.
enum Identifier {
  static func canBegin(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
    return scalar.properties.isXIDStart
  }

  static func canContinue(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return canBegin(scalar) || ("0"..."9").contains(scalar) }
    return scalar.properties.isXIDContinue
  }

  /// The name in an expression's text, with other characters as `\uhhhh`.
  static func written(_ name: some StringProtocol) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      if text.isEmpty ? canBegin(scalar) : canContinue(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? .init() { text += escape(unit) }
      }
    }
    return text
  }

  /// The name of a key, with `#` if it is a reserved word.
  static func writtenKey(_ name: some StringProtocol) -> String {
    if name.first == "@" { return "@" + written(name.dropFirst()) }
    let isReserved = ExpressionKeyword(word: String(name))?.isReserved ?? false
    return (isReserved ? "#" : "") + written(name)
  }

  /// A UTF-16 code unit as `\uhhhh`.
  static func escape(_ unit: UTF16.CodeUnit) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
