/// Writes a pattern of ICU in the language of PCRE2.
///
/// Flags but `i`, comments, classes and anchors are spelled out, set operations become look-ahead, and literals
/// without regard to case get what full case folding makes equal.
struct PatternTranslator {
  struct Flags {
    var ignoresCase = false
    var anyMatchesLineEnds = false
    var hasLines = false
    var skipsComments = false
    var onlyLineFeeds = false
  }

  /// More cannot be compiled.
  static let lengthLimit = 1 << 18
  /// The cost of a part, and of a sequence of parts, from which a match counts it.
  private static let costlyPart = 32
  private static let costlySequence = 64

  var cursor: PatternCursor
  var flags: Flags
  /// Whether each part is preceded by a call.
  private let isCounted: Bool
  /// Whether PCRE2 bounds a match by the pattern too little, or has to ask for boundaries of words.
  private(set) var isCostly = false
  /// The most that a character costs in a part.
  private(set) var unitCost = 1
  private(set) var hasReferences = false
  /// The costs of the last part, and of the parts since the last alternative.
  private var partCost = 0
  private var sequenceCost = 0
  /// The length of the named classes in sets.
  var setLength = 0
  private(set) var groups: [(column: Int, flags: Flags)] = []
  private var output: [UInt16] = []
  /// The columns of parts of the output, by their offsets.
  private var origins: [(offset: Int, column: Int)] = []
  private var literals: [Unicode.Scalar] = []
  private var canRepeat = false
  private var endsWithAny = false
  private var captureCount = 0

  private static let lineEnds = #"\n\x0b\f\r\x85\x{2028}\x{2029}"#
  private static let anyBeforeQuantifier = #"(?:[^\r]|\r\n?+)"#
  private static let lastLineEnd =
    #"(?:(?=\r\n\z)|(?!(?<=\r)\n)(?=[\#(lineEnds)]?\z))"#

  init(_ pattern: String, isCaseInsensitive: Bool, isCounted: Bool = false) {
    cursor = PatternCursor(pattern)
    self.isCounted = isCounted
    flags = Flags(ignoresCase: isCaseInsensitive)
  }

  /// The pattern in UTF-16, with a zero at its end.
  mutating func translated() throws(RegularExpressionFault) -> [UInt16] {
    if flags.ignoresCase { try emit("(?i)", 1) }
    while let scalar = cursor.next() { try translate(scalar, cursor.column - 1) }
    try closeLiterals()
    try write("")
    if let group = groups.last { throw .invalid("( is never closed", column: group.column) }
    return output + [0]
  }

  /// The column of what PCRE2 names by its offset.
  func column(of offset: Int) -> Int { origins.last { $0.offset <= offset }?.column ?? 1 }

  private mutating func translate(
    _ scalar: Unicode.Scalar,
    _ column: Int
  ) throws(RegularExpressionFault) {
    let only = flags.onlyLineFeeds
    switch scalar {
    case "(": try openGroup(column)
    case ")":
      try closeLiterals()
      guard let group = groups.popLast() else { throw .invalid(") closes nothing", column: column) }
      flags = group.flags
      cursor.skipsComments = flags.skipsComments
      try emit(")", column, canRepeat: true)
    case "|":
      try emit("|", column)
      sequenceCost = 0
    case "*", "+", "?": try repeatLast(String(scalar), column)
    case "{": try repeatLast(readCounts(column), column)
    case "}": throw .invalid("} closes nothing", column: column)
    case "[":
      let set = try readSet(column, depth: groups.count + 1)
      let isGroup = isCounted && set.hasPrefix("(")
      try emit(isGroup ? "(?:(?C)\(set))" : set, column, canRepeat: true)
    case "." where flags.anyMatchesLineEnds:
      try emit(Self.anyBeforeQuantifier, column, canRepeat: true)
      endsWithAny = true
    case ".": try emit(only ? #"[^\n]"# : "[^\(Self.lineEnds)]", column, canRepeat: true)
    case "^" where flags.hasLines:
      let ends = only ? #"\n"# : Self.lineEnds
      try emit(#"(?:\A|(?<=[\#(ends)])(?!\z))"#, column, canRepeat: true)
    case "^": try emit(#"(?:\A)"#, column, canRepeat: true)
    case "$" where flags.hasLines:
      let end = only ? #"(?=\n|\z)"# : #"(?!(?<=\r)\n)(?=[\#(Self.lineEnds)]|\z)"#
      try emit("(?:\(end))", column, canRepeat: true)
    case "$": try emit(only ? #"(?:(?=\n?\z))"# : Self.lastLineEnd, column, canRepeat: true)
    case "\\": try readEscape(column)
    default: add(literal: scalar, column)
    }
  }

  private mutating func emit(
    _ text: String,
    _ column: Int,
    canRepeat: Bool = false
  ) throws(RegularExpressionFault) {
    try closeLiterals()
    origins.append((output.count, column))
    try write(text)
    self.canRepeat = canRepeat
  }

  /// Writes a part, and adds its cost.
  private mutating func write(_ text: String) throws(RegularExpressionFault) {
    if isCounted { output += "(?C)".utf16 }
    output += text.utf16
    guard output.count <= Self.lengthLimit else {
      throw .invalid("regular expression is too large", column: cursor.column - 1)
    }
    endsWithAny = false
    partCost = text == ")" ? 0 : text.utf8.count / 8 + 1
    count(partCost)
  }

  private mutating func count(_ cost: Int) {
    unitCost = min(max(unitCost, partCost), 1 << 30)
    sequenceCost = min(sequenceCost + cost, 1 << 30)
    isCostly = isCostly || unitCost > Self.costlyPart || sequenceCost > Self.costlySequence
  }

  private mutating func emitReference(
    _ text: String,
    _ column: Int
  ) throws(RegularExpressionFault) {
    if flags.ignoresCase {
      throw .unsupported("a reference without regard to case", column: column)
    }
    isCostly = true
    hasReferences = true
    try emit(text, column, canRepeat: true)
  }

  mutating func add(literal: Unicode.Scalar, _ column: Int) {
    if literals.isEmpty { origins.append((output.count, column)) }
    literals.append(literal)
    canRepeat = true
  }

  private mutating func closeLiterals() throws(RegularExpressionFault) {
    guard !literals.isEmpty else { return }
    let text =
      flags.ignoresCase
      ? CaseFoldedLiterals.pattern(literals) : literals.map(PatternClass.literal).joined()
    literals = []
    guard text.utf16.count < 50_000 else {
      throw .invalid(
        "there are too many ways to write it in another case",
        column: column(of: .max)
      )
    }
    try write(text)
  }

  private mutating func repeatLast(
    _ quantifier: String,
    _ column: Int
  ) throws(RegularExpressionFault) {
    if literals.count > 1 {
      let last = literals.removeLast()
      try closeLiterals()
      literals = [last]
    }
    let isAny = endsWithAny && literals.isEmpty
    try closeLiterals()
    guard canRepeat else { throw .invalid("nothing precedes the quantifier", column: column) }
    var suffix = ""
    if cursor.skip("?") { suffix = "?" } else if cursor.skip("+") { suffix = "+" }
    if suffix == "+" { isCostly = true }
    if quantifier.hasPrefix("{") {
      // A group is repeated with all that it holds.
      let least = min(Int(quantifier.dropFirst().prefix(while: \.isNumber)) ?? 0, 1 << 16)
      let cost = (partCost == 0 ? sequenceCost : partCost) * least
      partCost *= least
      count(cost)
    }
    if isAny, quantifier == "*" || quantifier == "+", suffix.isEmpty {
      // The same in one step for each line.
      if quantifier == "*" { output.removeLast(Self.anyBeforeQuantifier.utf16.count) }
      try emit(#"(?:[^\r]*(?:\r\n?+[^\r]*)*)"#, column)
    } else {
      origins.append((output.count, column))
      output += (quantifier + suffix).utf16
      canRepeat = false
      endsWithAny = false
    }
  }

  private mutating func readCounts(_ column: Int) throws(RegularExpressionFault) -> String {
    var counts = "{"
    while let scalar = cursor.next() {
      let isDigit = ("0"..."9").contains(scalar)
      let isFirst = counts.count == 1
      guard isDigit || !isFirst && (scalar == "}" || scalar == "," && !counts.contains(","))
      else { break }
      counts.unicodeScalars.append(scalar)
      if scalar == "}" { return counts }
    }
    throw .invalid("{ is not followed by counts and }", column: column)
  }

  private mutating func openGroup(_ column: Int) throws(RegularExpressionFault) {
    guard groups.count < RegularExpression.depthLimit else {
      throw .tooDeep(limit: RegularExpression.depthLimit, column: column)
    }
    guard cursor.skip("?") else {
      captureCount += 1
      return try open("(", column)
    }
    if cursor.skip(text: "#") {
      if cursor.text(to: ")") == nil {
        throw .invalid("the comment is never closed", column: column)
      }
      return
    }
    for kind in ["<=", "<!", "=", "!", ">", ":"] where cursor.skip(scalars: kind) {
      isCostly = isCostly || kind != ":"
      return try open("(?\(kind)", column)
    }
    if cursor.skip("<") {
      guard let name = cursor.text(to: ">"),
        !name.isEmpty, name.unicodeScalars.allSatisfy(PatternClass.isLetterOrDigit)
      else { throw .invalid("(?< is followed by no name", column: column) }
      captureCount += 1
      try open("(?<\(name)>", column)
    } else {
      try readFlags(column)
    }
  }

  private mutating func open(_ text: String, _ column: Int) throws(RegularExpressionFault) {
    try emit(text, column)
    groups.append((column, flags))
    cursor.skipsComments = flags.skipsComments
  }

  /// Reads `(?i)`, which applies up to the end of the group, or the beginning of `(?i:…)`.
  private mutating func readFlags(_ column: Int) throws(RegularExpressionFault) {
    var read = flags
    var isOn = true
    var isEmpty = true
    while let scalar = cursor.next() {
      switch scalar {
      case ")" where !isEmpty, ":" where !isEmpty:
        try emit("(?\(read.ignoresCase ? "i" : "-i")\(scalar)", column)
        if scalar == ":" { groups.append((column, flags)) }
        flags = read
        cursor.skipsComments = read.skipsComments
        return
      case "-" where isOn: isOn = false
      case "i": read.ignoresCase = isOn
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

  /// Reads the part of an escape after the backslash, outside of sets.
  private mutating func readEscape(_ column: Int) throws(RegularExpressionFault) {
    let start = cursor.offset
    let scalar = cursor.nextRaw()
    switch scalar {
    case "A", "G": try emit(#"\A"#, column)
    case "z": try emit(#"\z"#, column)
    case "Z": try emit(flags.onlyLineFeeds ? #"(?=\n?\z)"# : Self.lastLineEnd, column)
    case "b", "B":
      isCostly = true
      try emit(scalar == "b" ? "(?C1)" : "(?C2)", column)
    case "R": try emit(#"\R"#, column, canRepeat: true)
    case "X":
      isCostly = true
      try emit(#"\X"#, column, canRepeat: true)
    case "k":
      guard cursor.skip(text: "<"), let name = cursor.text(to: ">") else {
        throw .invalid("\\k is followed by no name", column: column)
      }
      try emitReference("\\k<\(name)>", column)
    case let digit? where ("1"..."9").contains(digit):
      // More digits belong to the number as far as there are so many groups.
      var number = Int(digit.value) - 48
      while let next = cursor.raw, ("0"..."9").contains(next),
        number * 10 + Int(next.value) - 48 <= captureCount
      {
        number = number * 10 + Int(next.value) - 48
        _ = cursor.nextRaw()
      }
      try emitReference("\\g{\(number)}", column)
    case "Q": for literal in cursor.quoted() { add(literal: literal, column) }
    default:
      cursor.goBack(to: start)
      if let found = try cursor.readClass(flags, column) {
        try emit(found.pattern, column, canRepeat: true)
      } else {
        add(literal: try cursor.escapedLiteral(column: column), column)
      }
    }
  }
}
