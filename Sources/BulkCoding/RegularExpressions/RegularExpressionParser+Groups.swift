extension RegularExpressionParser {
  mutating func openGroup(column: Int) throws(RegularExpressionFault) {
    guard cursor.skip("?") else { return try pushGroup(column: column, outerFlags: flags) }
    switch cursor.raw {
    case ":":
      _ = cursor.nextRaw()
      try pushGroup(column: column, outerFlags: flags)
    case "#":
      guard cursor.text(to: ")") != nil else {
        throw .invalid("the comment is never closed", column: column)
      }
    case "=", "!": throw .needsBacktracking("look-ahead", column: column)
    case ">": throw .needsBacktracking("an atomic group", column: column)
    case "<": try openNamedGroup(column: column)
    default: try readFlags(column: column)
    }
  }

  mutating func closeGroup(column: Int) throws(RegularExpressionFault) {
    guard groups.count > 1 else { throw .invalid(") closes nothing", column: column) }
    try closeAlternative()
    guard let group = groups.popLast() else { return }
    flags = group.outerFlags
    cursor.skipsComments = flags.skipsComments
    place(.alternatives(group.alternatives))
  }

  private mutating func pushGroup(
    column: Int,
    outerFlags: Flags
  ) throws(RegularExpressionFault) {
    guard groups.count <= RegularExpression.depthLimit else {
      throw .tooDeep(limit: RegularExpression.depthLimit, column: column)
    }
    let inner = flags
    flags = outerFlags
    closeLiterals()
    flags = inner
    cursor.skipsComments = flags.skipsComments
    groups.append(Group(column: column, outerFlags: outerFlags))
  }

  private mutating func openNamedGroup(column: Int) throws(RegularExpressionFault) {
    _ = cursor.nextRaw()
    if cursor.raw == "=" || cursor.raw == "!" {
      throw .needsBacktracking("look-behind", column: column)
    }
    guard let name = cursor.text(to: ">"), Self.isName(name) else {
      throw .invalid("(?< is followed by no name", column: column)
    }
    guard names.insert(name).inserted else {
      throw .invalid("\(name) names a second group", column: column)
    }
    try pushGroup(column: column, outerFlags: flags)
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    return name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.decimalDigit != nil)
    }
  }

  /// Reads `(?i)`, which applies up to the end of the group, or the beginning of `(?i:…)`.
  private mutating func readFlags(column: Int) throws(RegularExpressionFault) {
    let outer = flags
    var read = flags
    var isOn = true
    var isEmpty = true
    while let scalar = cursor.nextRaw() {
      switch scalar {
      case ")" where !isEmpty:
        closeLiterals()
        groups[groups.count - 1].repeatable = nil
        flags = read
        cursor.skipsComments = read.skipsComments
        return
      case ":" where !isEmpty:
        flags = read
        return try pushGroup(column: column, outerFlags: outer)
      case "-" where isOn: isOn = false
      case "i": read.isCaseInsensitive = isOn
      case "s": read.anyMatchesLineEnds = isOn
      case "m": read.hasLines = isOn
      case "x": read.skipsComments = isOn
      case "d": read.onlyLineFeeds = isOn
      case "w": throw .unsupported("the flag w", column: cursor.column - 1)
      default: throw .invalid("\(scalar) is not a flag", column: cursor.column - 1)
      }
      isEmpty = false
    }
    throw .invalid("( is never closed", column: column)
  }
}
