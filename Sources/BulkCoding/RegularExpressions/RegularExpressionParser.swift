/// Compiles a pattern into an automaton, without recursion.
struct RegularExpressionParser {
  /// The flags that apply to the rest of the pattern.
  struct Flags {
    var isCaseInsensitive = false
    var anyMatchesLineEnds = false
    var hasLines = false
    var skipsComments = false
    var onlyLineFeeds = false
  }

  /// An open group, or the whole pattern.
  struct Group {
    let column: Int
    /// The flags to restore after the group.
    let outerFlags: Flags
    var alternatives: [[Automaton.State]] = []
    var sequence: [Automaton.State] = []
    /// The index in the sequence at which the operand of a quantifier would begin.
    var repeatable: Int?
    /// Literals that have not been added to the sequence.
    var literals: [Unicode.Scalar] = []
  }

  var cursor: PatternCursor
  var flags: Flags
  var groups: [Group] = []
  var names: Set<String> = []
  var automaton = Automaton()
  private var stateCount = 0

  init(_ pattern: String, isCaseInsensitive: Bool) {
    cursor = PatternCursor(pattern)
    flags = Flags(isCaseInsensitive: isCaseInsensitive)
  }

  mutating func parsed() throws(RegularExpressionFault) -> Automaton {
    groups = [Group(column: 1, outerFlags: flags)]
    while let scalar = cursor.next() { try read(scalar, column: cursor.column - 1) }
    guard groups.count == 1 else {
      throw .invalid("( is never closed", column: groups[groups.count - 1].column)
    }
    try closeAlternative()
    automaton.states = .alternatives(groups[0].alternatives)
    return automaton
  }

  private mutating func read(
    _ scalar: Unicode.Scalar,
    column: Int
  ) throws(RegularExpressionFault) {
    switch scalar {
    case "(": try openGroup(column: column)
    case ")": try closeGroup(column: column)
    case "|": try startAlternative()
    case "*": try repeatLast(0, nil, column: column)
    case "+": try repeatLast(1, nil, column: column)
    case "?": try repeatLast(0, 1, column: column)
    case "{": try readCounts(column: column)
    case "}": throw .invalid("} closes nothing", column: column)
    case "[": try append(.set(set(column: column)))
    case ".":
      if flags.anyMatchesLineEnds {
        try append(.any, .scalar("\n"))
      } else {
        try append(.withinLine(onlyLineFeeds: flags.onlyLineFeeds))
      }
    case "^":
      let only = flags.onlyLineFeeds
      try append(.assertion(flags.hasLines ? .lineStart(onlyLineFeeds: only) : .textStart))
    case "$":
      let only = flags.onlyLineFeeds
      let end = flags.hasLines ? Automaton.Assertion.lineEnd(onlyLineFeeds: only) : lastLineEnd
      try append(.assertion(end))
    case "\\": try readEscape(column: column)
    default: try append(literal: scalar)
    }
  }

  var lastLineEnd: Automaton.Assertion { .lastLineEnd(onlyLineFeeds: flags.onlyLineFeeds) }

  mutating func append(literal: Unicode.Scalar) throws(RegularExpressionFault) {
    try count(1)
    groups[groups.count - 1].literals.append(literal)
  }

  /// Adds states that a quantifier may repeat.
  mutating func append(_ states: Automaton.State...) throws(RegularExpressionFault) {
    try count(states.count)
    closeLiterals()
    place(states)
  }

  /// Adds a condition that no quantifier may repeat.
  mutating func append(unrepeatable assertion: Automaton.Assertion) throws(RegularExpressionFault) {
    try append(.assertion(assertion))
    groups[groups.count - 1].repeatable = nil
  }

  /// Adds states that have been counted.
  mutating func place(_ states: [Automaton.State]) {
    let last = groups.count - 1
    groups[last].repeatable = groups[last].sequence.count
    groups[last].sequence += states
  }

  mutating func count(_ states: Int) throws(RegularExpressionFault) {
    stateCount += states
    guard stateCount <= RegularExpression.stateLimit else {
      throw .tooManyStates(limit: RegularExpression.stateLimit, column: cursor.column - 1)
    }
  }

  /// Turns the literals into states; without regard to case, adjacent ones are folded together.
  mutating func closeLiterals() {
    let literals = groups[groups.count - 1].literals
    guard !literals.isEmpty else { return }
    groups[groups.count - 1].literals = []
    guard flags.isCaseInsensitive else { return place(literals.map { .scalar($0) }) }
    let folded = literals.flatMap(\.fullCaseFolding)
    if folded.count == 1 { return place([.foldedScalar(folded[0])]) }
    let run = automaton.runs.count
    automaton.runs.append(folded)
    place(folded.indices.map { .foldedRun(run, offset: $0) })
  }

  private mutating func startAlternative() throws(RegularExpressionFault) {
    try count(2)
    try closeAlternative()
  }

  mutating func closeAlternative() throws(RegularExpressionFault) {
    closeLiterals()
    let last = groups.count - 1
    groups[last].alternatives.append(groups[last].sequence)
    groups[last].sequence = []
    groups[last].repeatable = nil
  }

  private mutating func repeatLast(
    _ least: Int,
    _ greatest: Int?,
    column: Int
  ) throws(RegularExpressionFault) {
    separateLastLiteral()
    let last = groups.count - 1
    guard let start = groups[last].repeatable else {
      throw .invalid("nothing precedes the quantifier", column: column)
    }
    // Greediness does not matter when the whole text must match.
    let isLazy = cursor.skip("?")
    if !isLazy, cursor.peek() == "+" {
      throw .needsBacktracking("a possessive quantifier", column: cursor.column)
    }
    groups[last].repeatable = nil
    let states = Array(groups[last].sequence[start...])
    guard !states.isEmpty else { return }
    guard let size = states.repeatedCount(least, greatest) else {
      throw .tooManyStates(limit: RegularExpression.stateLimit, column: column)
    }
    try count(size - states.count)
    groups[last].sequence.removeSubrange(start...)
    groups[last].sequence += states.repeated(least, greatest)
  }

  /// A quantifier after literals applies to the last one.
  private mutating func separateLastLiteral() {
    guard let literal = groups[groups.count - 1].literals.popLast() else { return }
    closeLiterals()
    groups[groups.count - 1].literals = [literal]
    closeLiterals()
  }

  private mutating func readCounts(column: Int) throws(RegularExpressionFault) {
    guard let least = try readCount() else {
      throw .invalid("{ is followed by no number", column: column)
    }
    var greatest: Int? = least
    if cursor.skip(",") { greatest = try readCount() }
    guard cursor.skip("}") else { throw .invalid("{ is never closed", column: column) }
    if let greatest, greatest < least {
      throw .invalid("the second number is below the first", column: column)
    }
    try repeatLast(least, greatest, column: column)
  }

  private mutating func readCount() throws(RegularExpressionFault) -> Int? {
    var number: Int?
    while let scalar = cursor.peek(), let digit = scalar.decimalDigit {
      number = (number ?? 0) * 10 + digit
      guard number ?? 0 <= 1_000_000_000 else {
        throw .invalid("the number is too large", column: cursor.column)
      }
      _ = cursor.next()
    }
    return number
  }
}

extension Unicode.Scalar {
  /// The value of an ASCII digit.
  var decimalDigit: Int? { ("0"..."9").contains(self) ? Int(value) - 48 : nil }
}
