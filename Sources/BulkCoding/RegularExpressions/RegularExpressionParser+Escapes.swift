extension RegularExpressionParser {
  /// Reads the part of an escape after the backslash, outside of sets.
  mutating func readEscape(column: Int) throws(RegularExpressionFault) {
    let start = cursor.place
    switch cursor.nextRaw() {
    case "A", "G": try append(unrepeatable: .textStart)
    case "z": try append(unrepeatable: .textEnd)
    case "Z": try append(unrepeatable: lastLineEnd)
    case "b": try append(unrepeatable: .wordBoundary)
    case "B": try append(unrepeatable: .noWordBoundary)
    case "R": try append(.lineBreak, .scalar("\n"))
    case "X": throw .unsupported("\\X", column: column)
    case "k": throw .needsBacktracking("a reference to a group", column: column)
    case "1", "2", "3", "4", "5", "6", "7", "8", "9":
      throw .needsBacktracking("a reference to a group", column: column)
    case "Q":
      for literal in quoted() { try append(literal: literal) }
    default:
      cursor.goBack(to: start)
      if let steps = try classSteps(column: column) {
        try append(.set(try addSet([.begin] + steps)))
      } else {
        try append(literal: escapedLiteral(column: column))
      }
    }
  }

  /// The text between `\Q` and `\E`, or the end of the pattern.
  mutating func quoted() -> [Unicode.Scalar] {
    var quoted: [Unicode.Scalar] = []
    while !cursor.skip(text: "\\E"), let scalar = cursor.nextRaw() { quoted.append(scalar) }
    return quoted
  }

  /// Adds a set to the automaton.
  mutating func addSet(_ steps: [ScalarSet.Step]) throws(RegularExpressionFault) -> Int {
    try count(steps.count)
    automaton.sets.append(ScalarSet(steps, isCaseInsensitive: flags.isCaseInsensitive))
    return automaton.sets.count - 1
  }

  /// Reads the rest of an escape for a class, as steps that add it to a set; returns `nil`, and reads
  /// nothing, if the escape stands for a scalar.
  mutating func classSteps(column: Int) throws(RegularExpressionFault) -> [ScalarSet.Step]? {
    let property: ScalarProperty
    switch cursor.raw {
    case "d", "D": property = .category([.decimalNumber])
    case "w", "W": property = .word
    case "s", "S": property = .whitespace
    case "h", "H": property = .blank
    case "v", "V": property = .lineEnd
    case "p", "P": return try propertySteps(column: column)
    case "N": throw .unsupported("\\N", column: column)
    default: return nil
    }
    let isNegated = cursor.nextRaw()?.properties.isUppercase ?? false
    return Self.steps([.property(property)], isNegated: isNegated)
  }

  /// Reads `p{…}` or `P{…}`.
  private mutating func propertySteps(
    column: Int
  ) throws(RegularExpressionFault) -> [ScalarSet.Step] {
    let isNegated = cursor.nextRaw() == "P"
    guard cursor.nextRaw() == "{", let name = cursor.text(to: "}") else {
      throw .invalid("\\p is followed by no name in braces", column: column)
    }
    return try propertySteps(named: name, isNegated: isNegated, column: column)
  }

  /// The steps that add the scalars with, or without, a property to a set.
  func propertySteps(
    named name: String,
    isNegated: Bool,
    column: Int
  ) throws(RegularExpressionFault) -> [ScalarSet.Step] {
    guard let property = ScalarProperty(named: name) else {
      throw .unsupported("the property \(name)", column: column)
    }
    let close: [ScalarSet.Step] = flags.isCaseInsensitive ? [.closeOverCase] : []
    return Self.steps([.property(property)] + close, isNegated: isNegated)
  }

  private static func steps(_ steps: [ScalarSet.Step], isNegated: Bool) -> [ScalarSet.Step] {
    [.begin] + steps + (isNegated ? [.complement] : []) + [.union]
  }

  /// Reads the rest of an escape that stands for one scalar.
  mutating func escapedLiteral(column: Int) throws(RegularExpressionFault) -> Unicode.Scalar {
    guard let scalar = cursor.nextRaw() else {
      throw .invalid("nothing follows the backslash", column: column)
    }
    switch scalar {
    case "a": return "\u{7}"
    case "e": return "\u{1B}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "c":
      guard let control = cursor.nextRaw() else { break }
      return Unicode.Scalar(UInt8(control.value & 0x1F))
    case "0": return try octalScalar(column: column)
    case "x": return try hexScalar(column: column)
    case "u": return try fixedScalar(digits: 4, column: column)
    case "U": return try fixedScalar(digits: 8, column: column)
    case "1", "2", "3", "4", "5", "6", "7", "8", "9": break
    default: return scalar
    }
    throw .invalid("\\\(scalar) has no meaning", column: column)
  }

  /// Up to three octal digits, at most 377.
  private mutating func octalScalar(column: Int) throws(RegularExpressionFault) -> Unicode.Scalar {
    let most = (cursor.raw?.decimalDigit ?? 9) <= 3 ? 3 : 2
    return try checked(cursor.number(base: 8, most: most), column: column)
  }

  private mutating func hexScalar(column: Int) throws(RegularExpressionFault) -> Unicode.Scalar {
    guard cursor.raw == "{" else {
      return try checked(cursor.number(base: 16, most: 2), column: column)
    }
    _ = cursor.nextRaw()
    let number = cursor.number(base: 16, most: 6)
    guard cursor.nextRaw() == "}" else { throw .invalid("\\x{ is never closed", column: column) }
    return try checked(number, column: column)
  }

  private mutating func fixedScalar(
    digits: Int,
    column: Int
  ) throws(RegularExpressionFault) -> Unicode.Scalar {
    let number = try fixedNumber(digits: digits, column: column)
    // A surrogate pair stands for one scalar.
    guard (0xD800..<0xDC00).contains(number), cursor.skip(text: "\\u") else {
      return try checked(number, column: column)
    }
    let second = try fixedNumber(digits: 4, column: column)
    guard (0xDC00..<0xE000).contains(second) else { return try checked(number, column: column) }
    return try checked(0x1_0000 + (number - 0xD800) << 10 + (second - 0xDC00), column: column)
  }

  private mutating func fixedNumber(
    digits: Int,
    column: Int
  ) throws(RegularExpressionFault) -> UInt32 {
    let start = cursor.place
    guard let number = cursor.number(base: 16, most: digits), cursor.place == start + digits else {
      throw .invalid("the escape has fewer than \(digits) digits", column: column)
    }
    return number
  }

  private func checked(
    _ number: UInt32?,
    column: Int
  ) throws(RegularExpressionFault) -> Unicode.Scalar {
    guard let number, let scalar = Unicode.Scalar(number) else {
      throw .invalid("the escape denotes no character", column: column)
    }
    return scalar
  }
}
