internal import BulkSQLite

extension MemberOrdering {
  package func assignPlaces(_ session: StoreSession) throws(StoreError) {
    let connection = session.connection
    try session.transactions.transaction { () throws(StoreError) in
      if isSymmetric && !renumbers {
        try assignPlacesOfPairs(connection)
      } else {
        try assignPlaces(connection, session.position)
      }
    }
  }

  /// Assigns places to members of an ordered relationship, owner by owner, in ascending order of keys.
  ///
  /// The index on the owner's column lists the members in that order, so sorting and memory are not
  /// needed.
  private func assignPlaces(
    _ connection: Connection,
    _ position: ScanPosition
  ) throws(StoreError) {
    let isOpen = renumbers ? "" : " AND \(order) IS NULL"
    let places = renumbers ? "\(order), " : ""
    let members = try connection.prepare(
      "SELECT \(owner), rowid FROM \(quotedTable) WHERE \(owner) IS NOT NULL\(isOpen) "
        + "ORDER BY \(owner), \(places)\(member)"
    )
    let lastPlace = try connection.prepare(
      "SELECT max(\(order)) FROM \(quotedTable) WHERE \(owner) = ?1"
    )
    let update = try connection.prepare(updateSQL)
    let greatest = try connection.integer("SELECT max(\(owner)) FROM \(quotedTable)")
    position.begin(0...max(greatest ?? 0, 0))
    var last: Int64?
    var place = Self.first
    while try members.step() {
      let current = members.int64(at: 0)
      if last == current {
        place = Self.place(after: place)
      } else {
        position.reach(current &- 1)
        try lastPlace.bind(.integer(current), at: 1)
        place = renumbers ? Self.first : try Self.place(afterThatOf: lastPlace)
      }
      last = current
      try Self.run(update, members.int64(at: 1), place)
    }
  }

  /// Assigns places to pairs of an ordered relationship that is its own inverse.
  ///
  /// A row may hold a pair for both of its objects, so its place must differ from those of all other pairs of
  /// either. Pairs are numbered by their greater key and then by the other one, which is the ascending order
  /// of the partners' keys for each object. Two rows of one pair get the same place.
  private func assignPlacesOfPairs(_ connection: Connection) throws(StoreError) {
    let pairs = try connection.prepare(
      "SELECT max(\(owner), \(member)) AS last, min(\(owner), \(member)) AS first, rowid "
        + "FROM \(quotedTable) WHERE \(owner) IS NOT NULL AND \(member) IS NOT NULL "
        + "AND \(order) IS NULL ORDER BY 1, 2"
    )
    let update = try connection.prepare(updateSQL)
    var place = try Self.place(
      afterThatOf: connection.prepare("SELECT max(\(order)) FROM \(quotedTable)")
    )
    var last: (Int64, Int64)?
    while try pairs.step() {
      let pair = (pairs.int64(at: 0), pairs.int64(at: 1))
      if let last, last != pair { place = Self.place(after: place) }
      last = pair
      try Self.run(update, pairs.int64(at: 2), place)
    }
  }

  private var quotedTable: String { "main.\(SQLText.quoted(table))" }
  private var owner: String { SQLText.quoted(ownerColumn) }
  private var member: String { SQLText.quoted(memberColumn) }
  private var order: String { SQLText.quoted(orderColumn) }
  private var updateSQL: String { "UPDATE \(quotedTable) SET \(order) = ?2 WHERE rowid = ?1" }

  private static func run(
    _ update: borrowing Statement,
    _ row: Int64,
    _ place: Int64
  ) throws(StoreError) {
    try update.bind(.integer(row), at: 1)
    try update.bind(.integer(place), at: 2)
    try update.run()
  }

  /// The place after the one that a statement finds; the first one if it finds none.
  private static func place(afterThatOf last: borrowing Statement) throws(StoreError) -> Int64 {
    defer { last.reset() }
    return try last.nextInteger().map { place(after: $0) } ?? first
  }
}
