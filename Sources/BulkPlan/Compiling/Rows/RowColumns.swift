internal import BulkStore

/// The values of a destination table's columns in rows made from source rows.
///
/// This protocol gives every column of every row that a migration writes. The handling of keys is
/// left to its conforming types: ``KeptRows`` keep keys, ``MadeRows`` get new ones.
protocol RowColumns {
  var destination: StoreSchema { get }
  var key: ColumnExpression { get }
  var entityNumber: ColumnExpression { get }
  /// The number of times the object was saved.
  var version: ColumnExpression { get }
  func unmanaged(_ column: String) -> ColumnExpression
  func attribute(_ key: PropertyKey, in column: String) -> ColumnExpression
  func partner(along key: PropertyKey) -> Partner
  func owner(of key: PropertyKey) -> Partner
}

/// An object to which a row refers.
struct Partner {
  let key: ColumnExpression
  let entityNumber: ColumnExpression
  /// The row's position among those that refer to the object; NULL without positions.
  let position: ColumnExpression
  /// Whether the key is the source's own, which may dangle, although objects are new.
  var keepsKey = false

  static let none = Partner(key: .null, entityNumber: .null, position: .null)
}

extension RowColumns {
  package func value(of column: SchemaColumn) -> ColumnExpression {
    switch column.role {
    case .primaryKey: key
    case .entity: entityNumber
    case .version: version
    case .unmanaged: unmanaged(column.name)
    case .attribute(let key): attribute(key, in: column.name)
    case .foreignKey(let key): partner(along: key).key
    case .foreignEntity(let key): partner(along: key).entityNumber
    case .orderKey(let owner):
      destination.model.inverseKey(of: owner).map { partner(along: $0).position } ?? .null
    case .hiddenForeignKey(let key): owner(of: key).key
    case .hiddenOrderKey(let key): owner(of: key).position
    }
  }
}
