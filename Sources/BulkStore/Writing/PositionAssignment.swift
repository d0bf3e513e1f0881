internal import BulkSQLite

extension MemberOrdering {
  package func assignPositions(_ session: StoreSession) throws(StoreError) {
    let connection = session.connection
    try session.transactions.transaction { () throws(StoreError) in
      if isSymmetric && !renumbers {
        try assignPositionsOfPairs(connection)
      } else {
        try assignPositions(connection, session.position)
      }
    }
  }

  /// Assigns positions to members of an ordered relationship, owner by owner, in ascending order of keys.
  ///
  /// The index on the owner's column lists the members in that order, so sorting and memory are not
  /// needed.
  private func assignPositions(
    _ connection: Connection,
    _ position: ScanPosition
  ) throws(StoreError) {
    let isOpen = renumbers ? "" : " AND \(order) IS NULL"
    let ranks = renumbers ? "\(order), " : ""
    let members = try connection.prepare(
      "SELECT \(owner), rowid FROM \(quotedTable) WHERE \(owner) IS NOT NULL\(isOpen) "
        + "ORDER BY \(owner), \(ranks)\(member)"
    )
    let lastRank = try connection.prepare(
      "SELECT max(\(order)) FROM \(quotedTable) WHERE \(owner) = ?1"
    )
    let update = try connection.prepare(updateSQL)
    let greatest = try connection.integer("SELECT max(\(owner)) FROM \(quotedTable)")
    position.begin(0...max(greatest ?? 0, 0))
    var last: Int64?
    var rank = Self.first
    while try members.step() {
      let current = members.int64(at: 0)
      if last == current {
        rank = Self.position(after: rank)
      } else {
        position.reach(current &- 1)
        try lastRank.bind(.integer(current), at: 1)
        rank = renumbers ? Self.first : try Self.position(afterThatOf: lastRank)
      }
      last = current
      try Self.run(update, members.int64(at: 1), rank)
    }
  }

  /// Assigns positions to pairs of an ordered relationship that is its own inverse.
  ///
  /// A row may hold a pair for both of its objects, so its position must differ from those of all other pairs of
  /// either. Pairs are numbered by their greater key and then by the other one, which is the ascending order
  /// of the partners' keys for each object. Two rows of one pair get the same position.
  private func assignPositionsOfPairs(_ connection: Connection) throws(StoreError) {
    let pairs = try connection.prepare(
      "SELECT max(\(owner), \(member)) AS last, min(\(owner), \(member)) AS first, rowid "
        + "FROM \(quotedTable) WHERE \(owner) IS NOT NULL AND \(member) IS NOT NULL "
        + "AND \(order) IS NULL ORDER BY 1, 2"
    )
    let update = try connection.prepare(updateSQL)
    var rank = try Self.position(
      afterThatOf: connection.prepare("SELECT max(\(order)) FROM \(quotedTable)")
    )
    var last: (Int64, Int64)?
    while try pairs.step() {
      let pair = (pairs.int64(at: 0), pairs.int64(at: 1))
      if let last, last != pair { rank = Self.position(after: rank) }
      last = pair
      try Self.run(update, pairs.int64(at: 2), rank)
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
    _ rank: Int64
  ) throws(StoreError) {
    try update.bind(.integer(row), at: 1)
    try update.bind(.integer(rank), at: 2)
    try update.run()
  }

  /// The position after the one that a statement finds; the first one if it finds none.
  private static func position(afterThatOf last: borrowing Statement) throws(StoreError) -> Int64 {
    defer { last.reset() }
    return try last.nextInteger().map { position(after: $0) } ?? first
  }
}
