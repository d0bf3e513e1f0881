package import BulkSQLite

/// Rows of a table that are copied from source rows, but for values that are given row by row.
package struct PartlyGivenRows {
  package let source: String
  private let shape: EntityRowShape
  /// By their columns.
  private let attributes: [Int: String]
  /// The value of each column; `nil` where it is given.
  private let values: [ColumnExpression?]

  /// The conditions of the transfer do not matter.
  ///
  /// Given are also the values of columns that it lacks, and of the key, the entity and the
  /// version.
  package init(_ shape: EntityRowShape, by transfer: RowTransfer, giving attributes: [String]) {
    source = transfer.source
    self.shape = shape
    let indexes = attributes.compactMap { name in
      shape.column(of: name).map { ($0.index, name) }
    }
    let given = Dictionary(indexes) { first, _ in first }
    self.attributes = given
    values = shape.columns.enumerated().map { index, name in
      index < 3 || given[index] != nil
        ? nil : transfer.assignments.first { $0.column == name }?.value
    }
  }

  /// How their records are made; `nil` if a value that is not given needs SQL, or if all are given.
  package func copy(by compiler: RecordCompiler) -> RecordCopy? {
    guard values.contains(where: { $0 != nil }) else { return nil }
    var compiler = compiler
    let fields = try? values.enumerated().map { index, value in
      try value.map { try compiler.field($0) } ?? .given(index)
    }
    return fields.flatMap { try? compiler.copy($0, where: []) }
  }

  /// The statement that reads the values that are not given, behind the keys of source rows from parameter 1 to
  /// parameter 2.
  var selectSQL: String {
    let columns = ["s.rowid"] + values.compactMap { $0?.sql }
    return "SELECT \(columns.joined(separator: ", ")) "
      + RowTransfer(to: "", from: source, []).rowsSQL
  }

  /// The columns of that statement by the indexes of the values of a row; `nil` where they are given.
  var selectedColumns: [Int32?] {
    var next: Int32 = 0
    return values.map { value in
      guard value != nil else { return nil }
      next += 1
      return next
    }
  }

  /// How the records of new objects are made if nothing is given, from the programs of attributes.
  ///
  /// The conditions are those on source rows, of which the filter counts the rows that it leaves out.
  package func copy(
    by compiler: RecordCompiler,
    keyOffset: Int64,
    where conditions: [ColumnExpression],
    _ filter: RecordProgram?,
    _ program: (_ attribute: String) throws(NotOfRecords) -> RecordProgram
  ) throws(NotOfRecords) -> RecordCopy {
    var compiler = compiler
    var fields: [RecordCopy.Field] = [.rowID(plus: keyOffset)]
    for (index, value) in values.enumerated().dropFirst() {
      if let value {
        fields.append(try compiler.field(value))
      } else if let name = attributes[index] {
        fields.append(compiler.field(computing: try program(name)))
      } else {
        fields.append(.constant(shape.initial[index]))
      }
    }
    return try compiler.copy(fields, where: conditions, filter: filter)
  }
}
