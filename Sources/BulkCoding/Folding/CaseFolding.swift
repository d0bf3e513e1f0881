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
