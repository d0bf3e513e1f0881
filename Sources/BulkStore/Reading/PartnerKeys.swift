internal import BulkSQLite

/// The keys of the rows of some entities, which statements of one connection ask for.
final class PartnerKeys {
  private struct Rows: Hashable {
    let table: String
    let entities: [Int64]
  }

  /// The places of sets; `nil` for one that does not fit.
  private var places: [Rows: Int?] = [:]
  private var sets: [KeySet] = []

  /// The most bytes of a set, and of all that are kept for later statements.
  private static let mostBytes = 4 << 20
  /// The ratio of the rows of a table to those that lead there, above which searching them is cheaper.
  private static let mostRows: Int64 = 16

  /// Begins a statement.
  func begin() {
    guard sets.reduce(0, { $0 + $1.bytes }) > Self.mostBytes else { return }
    (places, sets) = ([:], [])
  }

  /// The function that answers for an integer whether it is the key of a partner.
  ///
  /// - Returns: `nil` where SQLite has to search the rows.
  /// - Throws: ``StoreError`` if the rows cannot be read.
  func function(
    for condition: RowTransfer.Condition,
    of table: String,
    _ connection: Connection
  ) throws(StoreError) -> String? {
    guard case .partner(.column, let target, let entities) = condition else { return nil }
    let rows = Rows(table: target, entities: entities)
    if let place = places[rows] { return place.map(Self.name) }
    guard
      let searches = try connection.highestKey(of: table),
      let highest = try connection.highestKey(of: target),
      highest / Self.mostRows <= searches, let set = try Self.keys(of: rows, connection)
    else {
      places[rows] = .some(nil)
      return nil
    }
    let place = sets.count
    sets.append(set)
    places[rows] = place
    try connection.define(Self.name(place)) { [unowned self] value in
      guard case .integer(let key) = value else { return .integer(0) }
      return .integer(sets[place].contains(key) ? 1 : 0)
    }
    return Self.name(place)
  }

  private static func name(_ place: Int) -> String { "bulk_is_partner_\(place)" }

  private static func keys(of rows: Rows, _ connection: Connection) throws(StoreError) -> KeySet? {
    var keys = KeySet(within: mostBytes)
    let statement = try connection.prepare(
      "SELECT s.Z_PK FROM source.\(SQLText.quoted(rows.table)) AS s NOT INDEXED "
        + "WHERE \(RowTransfer.Condition.entityIn(rows.entities).sql)"
    )
    while try statement.step() {
      guard statement.storageClass(at: 0) == .integer, keys.insert(statement.int64(at: 0)) else {
        return nil
      }
    }
    return keys
  }
}

extension Connection {
  /// The highest row id of a table of the source; `nil` if it has no rows.
  fileprivate func highestKey(of table: String) throws(SQLiteError) -> Int64? {
    let highest = try value("SELECT max(s.rowid) FROM source.\(SQLText.quoted(table)) AS s")
    guard case .integer(let key)? = highest else { return nil }
    return key
  }
}
