internal import BulkPlan
internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// A column of numbers that an attribute takes which cannot hold all their digits.
struct RoundedColumn {
  let source: SourceColumn
  let property: PropertyKey
  let type: String
  private let isFloat: Bool

  /// Gives the number as text; `nil` unless it loses digits.
  func rounded(_ value: SQLiteValue) -> String? {
    switch value {
    case .integer(let whole):
      let real = isFloat ? Double(Float(whole)) : Double(whole)
      return Int64(exactly: real) == whole ? nil : "\(whole)"
    case .real(let real):
      return isFloat && real.isFinite && Double(Float(real)) != real ? "\(real)" : nil
    case .null, .text, .blob, .streamed: return nil
    }
  }

  /// The columns that entity mappings copy into attributes of a type with fewer digits.
  static func all(of work: MigrationWork) -> [RoundedColumn] {
    work.instances.creations.flatMap { creation in
      creation.transfer.assignments.compactMap { assignment in
        guard let name = assignment.value.carriedColumn else { return nil }
        return column(name, to: assignment.column, creation.mapping, work)
      }
    }
  }

  private static func column(
    _ name: String,
    to destination: String,
    _ mapping: InstanceMapping,
    _ work: MigrationWork
  ) -> RoundedColumn? {
    guard
      let (_, old) = work.layout.schema.attribute(of: name, in: mapping.sourceTable),
      let (key, new) = work.destination.attribute(of: destination, in: mapping.destinationTable),
      new.attributeType == .double || new.attributeType == .float,
      old.attributeType.digits > new.attributeType.digits
    else { return nil }
    return RoundedColumn(
      source: SourceColumn(name: name, table: mapping.sourceTable, entity: mapping.sourceNumber),
      property: PropertyKey(mapping.destination.name, key.property),
      type: new.attributeType.name,
      isFloat: new.attributeType == .float
    )
  }
}

extension StoreSchema {
  fileprivate func attribute(
    of column: String,
    in table: String
  ) -> (key: PropertyKey, attribute: AttributeDescription)? {
    let columns = entityTable(named: table)?.columns ?? []
    guard case .attribute(let key)? = columns.first(where: { $0.name == column })?.role,
      let attribute = model.attribute(key)
    else { return nil }
    return (key, attribute)
  }
}

extension AttributeType {
  /// The binary digits that numbers may have; 0 for other values.
  fileprivate var digits: Int {
    if let range = integerRange { return 64 - range.upperBound.leadingZeroBitCount }
    return self == .double ? 53 : self == .float ? 24 : 0
  }
}
