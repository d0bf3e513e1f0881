/// A named class, as the members of a bracket of PCRE2.
struct PatternClass {
  let members: String
  let isNegated: Bool
  var pattern: String { "[\(isNegated ? "^" : "")\(members)]" }

  static let word = #"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200c}\x{200d}"#
  static let escapes: [Unicode.Scalar: String] = [
    "d": #"\p{Nd}"#, "w": word, "s": #"\p{White_Space}"#, "h": #"\t\p{Zs}"#,
    "v": #"\n\x0b\f\r\x85\x{2028}\x{2029}"#,
  ]

  static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
  }

  static func literal(_ scalar: Unicode.Scalar) -> String {
    isLetterOrDigit(scalar) ? String(scalar) : "\\x{\(String(scalar.value, radix: 16))}"
  }

  /// ICU's names, without spaces, hyphens and underscores, that PCRE2 has otherwise.
  private static let names: [String: String] = [
    "alphabetic": "Alphabetic", "alpha": "Alphabetic", "uppercase": "Uppercase",
    "upper": "Uppercase",
    "lowercase": "Lowercase", "lower": "Lowercase", "whitespace": "White_Space",
    "space": "White_Space",
    "wspace": "White_Space", "any": "Any", "ascii": "ASCII", "emoji": "Emoji",
    "ideographic": "Ideographic", "ideo": "Ideographic", "uppercaseletter": "Lu",
    "lowercaseletter": "Ll",
    "titlecaseletter": "Lt", "modifierletter": "Lm", "otherletter": "Lo", "casedletter": "LC",
    "nonspacingmark": "Mn", "spacingmark": "Mc", "enclosingmark": "Me", "decimalnumber": "Nd",
    "digit": "Nd", "letternumber": "Nl", "othernumber": "No", "connectorpunctuation": "Pc",
    "dashpunctuation": "Pd", "openpunctuation": "Ps", "closepunctuation": "Pe",
    "initialpunctuation": "Pi", "finalpunctuation": "Pf", "otherpunctuation": "Po",
    "mathsymbol": "Sm",
    "currencysymbol": "Sc", "modifiersymbol": "Sk", "othersymbol": "So", "spaceseparator": "Zs",
    "lineseparator": "Zl", "paragraphseparator": "Zp", "control": "Cc", "cntrl": "Cc",
    "format": "Cf",
    "surrogate": "Cs", "privateuse": "Co", "unassigned": "Cn", "letter": "L", "mark": "M",
    "combiningmark": "M", "number": "N", "punctuation": "P", "punct": "P", "symbol": "S",
    "separator": "Z", "other": "C",
  ]
  private static let members: [String: String] = [
    "assigned": #"\P{Cn}"#, "xdigit": #"\p{Hex_Digit}\p{Nd}"#, "alnum": #"\p{Alphabetic}\p{Nd}"#,
    "blank": #"\t\p{Zs}"#, "graph": #"\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co}"#,
    "print": #"\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co}\p{Zs}"#,
  ]

  /// PCRE2 closes ranges over case, but no properties.
  private static let cased: [String: String] = ["Lu", "Ll", "Lt", "Uppercase", "Lowercase"].reduce(
    into: [:]) {
      let test: (Unicode.Scalar.Properties) -> Bool =
        switch $1 {
        case "Lu": { $0.generalCategory == .uppercaseLetter }
        case "Ll": { $0.generalCategory == .lowercaseLetter }
        case "Lt": { $0.generalCategory == .titlecaseLetter }
        case "Uppercase": \.isUppercase
        default: \.isLowercase
        }
      // No scalar above has case.
      $0[$1] = (UInt32(0)..<0x1_F000).compactMap(Unicode.Scalar.init).filter { test($0.properties) }
        .map(literal).joined()
    }

  /// The scalars that other properties get without regard to case, by PCRE2's names of these.
  private static let caseAdditions: [String: String] = [
    "ASCII": #"\x{17f}\x{212a}"#, "Emoji": #"\x{24dc}"#, "L": #"\x{345}"#, "LC": #"\x{345}"#,
    "M": #"\x{399}\x{3b9}\x{1fbe}"#, "Mn": #"\x{399}\x{3b9}\x{1fbe}"#,
    "sc:greek": #"\x{b5}\x{345}"#, "sc:grek": #"\x{b5}\x{345}"#,
    "sc:common": #"\x{39c}\x{3bc}"#, "sc:zyyy": #"\x{39c}\x{3bc}"#,
    "sc:inherited": #"\x{399}\x{3b9}\x{1fbe}"#, "sc:zinh": #"\x{399}\x{3b9}\x{1fbe}"#,
    "sc:qaai": #"\x{399}\x{3b9}\x{1fbe}"#,
  ]

  /// Finds a class by its name, whose case, spaces, hyphens and underscores do not count; an unknown name is a script.
  init(named name: String, isNegated: Bool, ignoresCase: Bool) {
    self.isNegated = isNegated
    var name = name.filter { !" -_".contains($0) }
    for prefix in ["gc=", "generalcategory="] where name.lowercased().hasPrefix(prefix) {
      name.removeFirst(prefix.count)
    }
    let folded = name.lowercased()
    let known =
      Self.names[folded]
      ?? (folded.utf8.count <= 2 ? folded.prefix(1).uppercased() + folded.dropFirst() : nil)
    let property = known == "Lc" ? "LC" : known ?? "sc:\(name)"
    let spelled = Self.members[folded] ?? (ignoresCase ? Self.cased[property] : nil)
    let added = ignoresCase ? Self.caseAdditions[known ?? "sc:\(folded)"] ?? "" : ""
    members = spelled ?? "\\p{\(property)}" + added
  }

  init(_ members: String, isNegated: Bool) {
    self.members = members
    self.isNegated = isNegated
  }
}

extension PatternTranslator {
  /// The scalars of a set: members between brackets, and patterns that each match one scalar.
  private struct Operand {
    var members = ""
    var patterns: [String] = []
    /// Whether all scalars of a case are in it, or none.
    var isClosed = true

    var isEmpty: Bool { members.isEmpty && patterns.isEmpty }
    var pattern: String {
      let all = (members.isEmpty ? [] : ["[\(members)]"]) + patterns
      return all.count == 1 ? all[0] : "(?:\(all.joined(separator: "|")))"
    }
  }

  /// Reads the rest of a bracketed set, as a pattern of one scalar.
  mutating func readSet(_ column: Int, depth: Int) throws(RegularExpressionFault) -> String {
    guard depth <= RegularExpression.depthLimit else {
      throw .tooDeep(limit: RegularExpression.depthLimit, column: column)
    }
    if depth == groups.count + 1, let named = readNamedClass() { return named.pattern }
    let isNegated = cursor.skip("^")
    var operand = Operand()
    var before: (operand: Operand, sign: Unicode.Scalar)?
    var operations = 0
    // Between two sets one sign is enough.
    var followsSet = false
    while let scalar = cursor.next() {
      let column = cursor.column - 1
      let canBeSign = scalar == "&" || scalar == "-"
      let isSign = canBeSign && cursor.peek() == scalar
      let isSetSign = canBeSign && followsSet && cursor.peek() == "["
      followsSet = false
      if isSign || scalar == "]" && (before != nil || !operand.isEmpty) {
        guard !operand.isEmpty else { throw .invalid("the set has no members", column: column) }
        if let before {
          operand = try combine(before.operand, before.sign, operand, column, &operations, depth)
        }
        guard isSign else {
          guard isNegated else { return operand.pattern }
          let isBracket = operand.patterns.isEmpty
          return isBracket ? "[^\(operand.members)]" : "(?:(?!\(operand.pattern))(?s:.))"
        }
        _ = cursor.next()
        before = (operand, scalar)
        operand = Operand()
      } else if isSetSign {
        _ = cursor.next()
        var right = Operand()
        try readInnerSet(&right, column + 1, depth)
        operand = try combine(operand, scalar, right, column, &operations, depth)
        followsSet = true
      } else if scalar == "[" {
        try readInnerSet(&operand, column, depth)
        followsSet = true
      } else {
        followsSet = scalar == "\\" && (cursor.raw == "p" || cursor.raw == "P")
        try readMember(scalar, &operand, column)
      }
    }
    throw .invalid("[ is never closed", column: column)
  }

  private mutating func readInnerSet(
    _ operand: inout Operand,
    _ column: Int,
    _ depth: Int
  ) throws(RegularExpressionFault) {
    if let named = readNamedClass() {
      try add(named, to: &operand, column)
    } else {
      operand.patterns.append(try readSet(column, depth: depth + 1))
    }
  }

  private mutating func add(
    _ found: PatternClass,
    to operand: inout Operand,
    _ column: Int
  ) throws(RegularExpressionFault) {
    setLength += found.members.utf8.count
    guard setLength <= Self.lengthLimit else {
      throw .invalid("regular expression is too large", column: column)
    }
    if found.isNegated {
      operand.patterns.append(found.pattern)
    } else {
      operand.members += found.members
    }
  }

  /// A set operation is the same before and after all cases are added only if an operand has all of them.
  private func combine(
    _ left: Operand,
    _ sign: Unicode.Scalar,
    _ right: Operand,
    _ column: Int,
    _ operations: inout Int,
    _ depth: Int
  ) throws(RegularExpressionFault) -> Operand {
    operations += 1
    guard depth + operations <= RegularExpression.depthLimit else {
      throw .tooDeep(limit: RegularExpression.depthLimit, column: column)
    }
    let isIntersection = sign == "&"
    guard !flags.ignoresCase || right.isClosed || isIntersection && left.isClosed else {
      throw .unsupported("\(sign)\(sign) without regard to case before \(column)", column: column)
    }
    let test =
      isIntersection ? "(?=\(left.pattern))\(right.pattern)" : "(?!\(right.pattern))\(left.pattern)"
    return Operand(patterns: ["(?:\(test))"], isClosed: left.isClosed && right.isClosed)
  }

  /// Reads a member that begins with a scalar: a class, quoted scalars, one or a range of them.
  private mutating func readMember(
    _ scalar: Unicode.Scalar,
    _ operand: inout Operand,
    _ column: Int
  ) throws(RegularExpressionFault) {
    var first = scalar
    if scalar == "\\" {
      if let found = try cursor.readClass(flags, column) {
        return try add(found, to: &operand, column)
      }
      if cursor.skip(text: "Q") {
        for literal in cursor.quoted() { operand.members += PatternClass.literal(literal) }
        operand.isClosed = false
        return
      }
      first = try cursor.escapedLiteral(column: column)
    }
    let last = try readRangeEnd() ?? first
    guard first <= last else {
      throw .invalid("the range ends before it begins", column: column)
    }
    operand.isClosed = false
    operand.members += PatternClass.literal(first)
    if last > first { operand.members += "-" + PatternClass.literal(last) }
    guard flags.ignoresCase else { return }
    for pair in CaseFoldedLiterals.unknownPairs where pair.contains(where: (first...last).contains)
    {
      operand.members += pair.map(PatternClass.literal).joined()
    }
  }

  /// Reads a hyphen and the end of the range, unless no scalar follows.
  private mutating func readRangeEnd() throws(RegularExpressionFault) -> Unicode.Scalar? {
    guard cursor.peek() == "-" else { return nil }
    let start = cursor.offset
    let column = cursor.column
    _ = cursor.next()
    switch cursor.peek() {
    case nil, "]", "[", "-":
      cursor.goBack(to: start)
      return nil
    case "\\":
      _ = cursor.nextRaw()
      guard try cursor.readClass(flags, column) == nil, cursor.raw != "Q" else {
        throw .invalid("the range ends with a class", column: column)
      }
      return try cursor.escapedLiteral(column: column)
    case _: return cursor.next()
    }
  }

  /// Reads `:name:]` or `:^name:]`; returns `nil`, and reads nothing, if neither comes next.
  private mutating func readNamedClass() -> PatternClass? {
    let start = cursor.offset
    if cursor.skip(":") {
      let isNegated = cursor.skip("^")
      if let name = cursor.text(to: ":"), cursor.skip("]") {
        return PatternClass(named: name, isNegated: isNegated, ignoresCase: flags.ignoresCase)
      }
      cursor.goBack(to: start)
    }
    return nil
  }
}
