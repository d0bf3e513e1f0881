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

  package func folded(_ text: String) -> String {
    guard ignoresCase || ignoresDiacritics else { return text }
    // ASCII has no diacritics, and its case mapping needs no table.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return ignoresCase ? text.lowercased() : text }
    let scalars = ignoresDiacritics ? withoutDiacritics(text) : text.unicodeScalars.flatMap(cased)
    return String(String.UnicodeScalarView(CanonicalForm.composed(scalars)))
  }

  private func cased(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    ignoresCase ? CaseFolding.scalars(of: scalar) : [scalar]
  }

  /// The treatment of the marks behind a scalar.
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
    /// The index of the last scalar that marks may follow.
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
    ScalarRows.rows(of: FoldingTables.extensions, columns: 2).map { $0[0]...$0[1] }

  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    // The first such scalar is U+0300.
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
      for value in stride(from: row[0], through: row[1], by: Int(row[2])) {
        guard let scalar = Unicode.Scalar(value) else { continue }
        foldings[scalar] = Unicode.Scalar(row[3] + value - row[0])
      }
    }
    return foldings
  }()

  private static let expansions = ScalarRows.parts(in: FoldingTables.caseExpansions, columns: 4)

  /// The folding of a scalar; that of `ß` has two.
  static func scalars(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.value < 0x80 {
      return [("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar]
    }
    return expansions[scalar] ?? [foldings[scalar] ?? scalar]
  }
}

/// Rows of a table of ``FoldingTables``.
///
/// A row has the differences of its numbers from those of the row before, in base 36, without the zeros at its
/// end.
enum ScalarRows {
  static func rows(of table: String, columns: Int) -> [[UInt32]] {
    var row = [Int](repeating: 0, count: columns)
    return table.utf8.split { $0 == 0x20 || $0 == 0x0A }.map { differences in
      for (column, digits) in differences.split(separator: UInt8(ascii: ",")).enumerated() {
        row[column] += Int(Substring(digits), radix: 36) ?? 0
      }
      return row.map(UInt32.init)
    }
  }

  /// The other scalars of each row by its first one, without the zeros that fill the row.
  static func parts(in table: String, columns: Int) -> [Unicode.Scalar: [Unicode.Scalar]] {
    rows(of: table, columns: columns).reduce(into: [:]) { parts, row in
      let scalars = row.compactMap { $0 == 0 ? nil : Unicode.Scalar($0) }
      parts[scalars[0]] = Array(scalars.dropFirst())
    }
  }
}
