extension RegularExpressionParser {
  /// A bracketed set that is being read, the outermost first.
  private struct OpenSet {
    let column: Int
    let isNegated: Bool
    /// Combines the operand before `&&` or `--` with the one after it.
    var operation: ScalarSet.Step?
    /// Whether the set, or its part after the last `&&` or `--`, has members.
    var hasMembers = false
  }

  /// Reads the rest of a bracketed set; returns its index among the sets.
  mutating func set(column: Int) throws(RegularExpressionFault) -> Int {
    if let steps = try namedClassSteps(column: column) { return try addSet([.begin] + steps) }
    var steps: [ScalarSet.Step] = []
    var open = [try openSet(column: column, &steps)]
    while let set = open.last {
      let column = cursor.column
      guard let scalar = cursor.next() else {
        throw .invalid("[ is never closed", column: set.column)
      }
      if scalar == "]" {
        try close(set, &steps)
        open.removeLast()
        guard !open.isEmpty else { break }
        steps.append(.union)
        open[open.count - 1].hasMembers = true
      } else if scalar == "[" {
        if let named = try namedClassSteps(column: column) {
          steps += named
          open[open.count - 1].hasMembers = true
          continue
        }
        guard groups.count + open.count <= RegularExpression.depthLimit else {
          throw .tooDeep(limit: RegularExpression.depthLimit, column: column)
        }
        open.append(try openSet(column: column, &steps))
      } else if scalar == "&" || scalar == "-", cursor.raw == scalar {
        _ = cursor.nextRaw()
        try combine(by: scalar, in: &open[open.count - 1], &steps, column: column)
      } else {
        try readMember(scalar, &steps, column: column)
        open[open.count - 1].hasMembers = true
      }
    }
    return try addSet(steps)
  }

  /// Begins a set; a bracket that follows immediately is a member of it.
  private mutating func openSet(
    column: Int,
    _ steps: inout [ScalarSet.Step]
  ) throws(RegularExpressionFault) -> OpenSet {
    steps.append(.begin)
    var set = OpenSet(column: column, isNegated: cursor.skip("^"))
    if cursor.peek() == "]" {
      let column = cursor.column
      _ = cursor.next()
      try readMember("]", &steps, column: column)
      set.hasMembers = true
    }
    return set
  }

  private func close(
    _ set: OpenSet,
    _ steps: inout [ScalarSet.Step]
  ) throws(RegularExpressionFault) {
    guard set.hasMembers else { throw .invalid("the set has no members", column: set.column) }
    if let operation = set.operation { steps.append(operation) }
    if flags.isCaseInsensitive { steps.append(.closeOverCase) }
    if set.isNegated { steps.append(.complement) }
  }

  private func combine(
    by scalar: Unicode.Scalar,
    in set: inout OpenSet,
    _ steps: inout [ScalarSet.Step],
    column: Int
  ) throws(RegularExpressionFault) {
    guard set.hasMembers else {
      throw .invalid("nothing precedes \(scalar)\(scalar)", column: column)
    }
    if let operation = set.operation { steps.append(operation) }
    steps.append(.begin)
    set.operation = scalar == "&" ? .intersection : .difference
    set.hasMembers = false
  }

  /// Reads a member that begins with a scalar: a class, quoted scalars, one or a range of them.
  private mutating func readMember(
    _ scalar: Unicode.Scalar,
    _ steps: inout [ScalarSet.Step],
    column: Int
  ) throws(RegularExpressionFault) {
    var first = scalar
    if scalar == "\\" {
      if let named = try classSteps(column: column) {
        steps += named
        return
      }
      if cursor.skip(text: "Q") {
        steps += quoted().map { .range($0...$0) }
        return
      }
      first = try escapedLiteral(column: column)
    }
    let last = try rangeEnd() ?? first
    guard first <= last else {
      throw .invalid("the range ends before it begins", column: column)
    }
    steps.append(.range(first...last))
  }

  /// Reads a hyphen and the end of the range, unless no scalar follows.
  private mutating func rangeEnd() throws(RegularExpressionFault) -> Unicode.Scalar? {
    guard cursor.peek() == "-" else { return nil }
    let start = cursor.place
    let column = cursor.column
    _ = cursor.next()
    switch cursor.peek() {
    case nil, "]", "[", "-":
      cursor.goBack(to: start)
      return nil
    case "\\":
      _ = cursor.nextRaw()
      guard try classSteps(column: column) == nil, cursor.raw != "Q" else {
        throw .invalid("the range ends with a class", column: column)
      }
      return try escapedLiteral(column: column)
    case _: return cursor.next()
    }
  }

  /// Reads `:name:]` or `:^name:]`; returns `nil`, and reads nothing, if neither comes next.
  private mutating func namedClassSteps(
    column: Int
  ) throws(RegularExpressionFault) -> [ScalarSet.Step]? {
    let start = cursor.place
    guard cursor.skip(text: ":") else { return nil }
    let isNegated = cursor.skip(text: "^")
    guard let name = cursor.text(to: ":"), cursor.skip(text: "]") else {
      cursor.goBack(to: start)
      return nil
    }
    return try propertySteps(named: name, isNegated: isNegated, column: column)
  }
}
