/// How the records of a table are made from those of another one: what of a transfer needs no SQL.
package struct RecordCopy: Sendable {
  /// A value of a column.
  package indirect enum Field: Sendable {
    case constant(SQLiteValue)
    /// The row id of the source row, plus a number.
    case rowID(plus: Int64)
    /// The value of a source column, by its index.
    case column(Int)
    /// The number for an integer in a source column; NULL for one that has none.
    case renumbered(Int, [Int64: Int64])
    /// The new number for that of a related object's entity, in a column beside its key; only SQL knows
    /// what a number that is not listed beside a key stands for.
    case entity(Int, key: Int, [Int64: Int64?])
    /// A source column, or another value where that is NULL.
    case firstNonNull(Int, Field)
    /// The value for the number in a source column; NULL for one that has none.
    case byNumber(Int, [Int64: Field])
    /// A number that is computed.
    case number(NumberExpression)
    /// What is known of the object that a link leads to from the key in a source column, or from the row id
    /// where that is `nil`.
    case linked(Int, LinkedPart, to: Int?)
  }

  /// What must be true of a source row.
  package enum Condition: Sendable {
    case isIn(Int, Set<Int64>)
    case isNull(Int)
    case isNotNull(Int)
  }

  /// The values, in the order of a transfer's columns.
  package let fields: [Field]
  /// What must be true; all of it.
  package let conditions: [Condition]

  package init(_ fields: [Field], where conditions: [Condition]) {
    self.fields = fields
    self.conditions = conditions
  }
}

/// A number that SQL would compute from the columns of a row.
package indirect enum NumberExpression: Sendable {
  case column(Int)
  case integer(Int64)
  case real(Double)
  case sum(NumberExpression, NumberExpression)
  case difference(NumberExpression, NumberExpression)
  case product(NumberExpression, NumberExpression)
  case quotient(NumberExpression, NumberExpression)
}
