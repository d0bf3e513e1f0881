/// Folds texts, so that those that differ only in case or in diacritics become equal.
///
/// It does what `String.folding(options:locale:)` of Foundation does without a locale, followed by
/// `precomposedStringWithCanonicalMapping`.
package struct TextFolding: Sendable {
  private let ignoresCase: Bool
  private let ignoresDiacritics: Bool
  /// Diacritics are dropped from scalars below: Latin, Greek and Cyrillic.
  private static let lettersEnd: UInt32 = 0x510

  package init(ignoresCase: Bool, ignoresDiacritics: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
  }

  /// The folded text.
  package func folded(_ text: String) -> String {
    guard ignoresCase || ignoresDiacritics else { return text }
    // ASCII has no diacritics, and its case mapping needs no table.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return ignoresCase ? text.lowercased() : text }
    let scalars = ignoresDiacritics ? withoutDiacritics(text) : text.unicodeScalars.flatMap(cased)
    var result = String.UnicodeScalarView()
    result.append(contentsOf: CanonicalForm.composed(scalars))
    return String(result)
  }

  private func cased(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    ignoresCase ? CaseFolding.scalars(of: scalar) : [scalar]
  }

  /// What becomes of the marks behind a scalar.
  private enum Marks {
    case dropped
    /// The first is dropped if it is one of Latin, Greek or Cyrillic letters; all others stay.
    case droppedOnce
    case kept
  }

  /// The scalars, where those that extend another one are dropped behind a letter, and otherwise sorted.
  private func withoutDiacritics(_ text: String) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    var marks: Marks?
    /// Where the last scalar is that marks may follow.
    var base = 0
    for scalar in text.unicodeScalars {
      if let kind = marks, ScalarExtension.contains(scalar) {
        guard kind != .dropped else { continue }
        if kind == .kept || scalar.value >= Self.lettersEnd {
          result += CanonicalForm.decomposition(of: scalar)
        }
        marks = .kept
        continue
      }
      CanonicalForm.sort(&result[base...])
      let first = CanonicalForm.decomposition(of: scalar)[0]
      let plain = first.value < Self.lettersEnd ? first : scalar
      let folding = cased(plain)
      result += folding
      base = result.count - 1
      marks = scalar == "\0" ? nil : Self.marks(behind: folding, isFolded: folding != [plain])
    }
    CanonicalForm.sort(&result[base...])
    return result
  }

  private static func marks(behind folding: [Unicode.Scalar], isFolded: Bool) -> Marks {
    if folding[0].value < lettersEnd { return .dropped }
    return isFolded ? .kept : .droppedOnce
  }
}

/// The scalars that extend the one before them, as Foundation sees it.
private enum ScalarExtension {
  private static let ranges: [ClosedRange<UInt32>] =
    ScalarRows.rows(of: FoldingTables.extensions, columns: 2).map {
      $0[$0.startIndex]...$0[$0.startIndex + 1]
    }

  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    // None is below.
    guard scalar.value >= 0x300 else { return false }
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(scalar.value)
  }
}

/// The case folding of single scalars, as Foundation has it.
enum CaseFolding {
  private static let foldings: [Unicode.Scalar: Unicode.Scalar] = {
    var foldings: [Unicode.Scalar: Unicode.Scalar] = [:]
    for row in ScalarRows.rows(of: FoldingTables.caseFoldings, columns: 4) {
      let (first, step) = (row[row.startIndex], Int(row[row.startIndex + 2]))
      for value in stride(from: first, through: row[row.startIndex + 1], by: step) {
        guard let scalar = Unicode.Scalar(value) else { continue }
        foldings[scalar] = Unicode.Scalar(row[row.startIndex + 3] + value - first)
      }
    }
    return foldings
  }()

  private static let expansions: [Unicode.Scalar: [Unicode.Scalar]] = {
    var expansions: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for row in ScalarRows.rows(of: FoldingTables.caseExpansions, columns: 4) {
      let scalars = ScalarRows.scalars(row)
      expansions[scalars[0]] = Array(scalars.dropFirst())
    }
    return expansions
  }()

  /// What a scalar becomes; `ß` becomes two.
  static func scalars(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.value < 0x80 {
      return [("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar]
    }
    return expansions[scalar] ?? [foldings[scalar] ?? scalar]
  }
}

/// Rows of a table of ``FoldingTables``.
enum ScalarRows {
  /// The rows of a table whose rows have the same number of columns.
  static func rows(of table: String, columns: Int) -> [ArraySlice<UInt32>] {
    let numbers = table.utf8.split { $0 == 0x20 || $0 == 0x0A }.map(number)
    return stride(from: 0, to: numbers.count, by: columns).map { numbers[$0..<($0 + columns)] }
  }

  private static func number(_ digits: Substring.UTF8View.SubSequence) -> UInt32 {
    digits.reduce(0) { $0 << 4 | UInt32($1 < 0x3A ? $1 - 0x30 : $1 - 0x37) }
  }

  /// The scalars of a row, without the zeros that fill it.
  static func scalars(_ numbers: ArraySlice<UInt32>) -> [Unicode.Scalar] {
    numbers.compactMap { $0 == 0 ? nil : Unicode.Scalar($0) }
  }
}
