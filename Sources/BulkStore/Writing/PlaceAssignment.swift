internal import BulkSQLite

/// Assigns places to members of an ordered relationship, owner by owner, in ascending order of keys.
///
/// The index on the owner's column lists the members in that order, so sorting and memory are not
/// needed.
struct PlaceAssignment: ~Copyable {
  private let renumbers: Bool
  private let greatestOwner: Statement
  private let members: Statement
  private let lastPlace: Statement
  private let update: Statement

  init(_ ordering: MemberOrdering, _ connection: Connection) throws(StoreError) {
    let table = "main.\(SQLText.quoted(ordering.table))"
    let owner = SQLText.quoted(ordering.ownerColumn)
    let member = SQLText.quoted(ordering.memberColumn)
    let order = SQLText.quoted(ordering.orderColumn)
    let isOpen = ordering.renumbers ? "" : " AND \(order) IS NULL"
    let places = ordering.renumbers ? "\(order), " : ""
    let greatestOwner = try connection.prepare("SELECT max(\(owner)) FROM \(table)")
    let members = try connection.prepare(
      "SELECT \(owner), rowid FROM \(table) WHERE \(owner) IS NOT NULL\(isOpen) "
        + "ORDER BY \(owner), \(places)\(member)"
    )
    let lastPlace = try connection.prepare(
      "SELECT max(\(order)) FROM \(table) WHERE \(owner) = ?1"
    )
    let update = try connection.prepare("UPDATE \(table) SET \(order) = ?2 WHERE rowid = ?1")
    renumbers = ordering.renumbers
    self.greatestOwner = greatestOwner
    self.members = members
    self.lastPlace = lastPlace
    self.update = update
  }

  /// Assigns the places.
  ///
  /// - Parameter position: Follows the owners whose members have their places.
  /// - Throws: ``StoreError`` if rows cannot be read or changed.
  func run(_ position: ScanPosition) throws(StoreError) {
    position.begin(try greatestOwner.step() ? 0...max(greatestOwner.int64(at: 0), 0) : nil)
    greatestOwner.reset()
    var owner: Int64?
    var place = MemberOrdering.first
    while try members.step() {
      let current = members.int64(at: 0)
      place = owner == current ? MemberOrdering.place(after: place) : try firstPlace(of: current)
      if owner != current { position.reach(current &- 1) }
      owner = current
      try update.bind(.integer(members.int64(at: 1)), at: 1)
      try update.bind(.integer(place), at: 2)
      try update.run()
    }
  }

  private func firstPlace(of owner: Int64) throws(StoreError) -> Int64 {
    if renumbers { return MemberOrdering.first }
    try lastPlace.bind(.integer(owner), at: 1)
    defer { lastPlace.reset() }
    guard try lastPlace.step(), case .integer(let last) = lastPlace.value(at: 0) else {
      return MemberOrdering.first
    }
    return MemberOrdering.place(after: last)
  }
}

extension MemberOrdering {
  /// Assigns places to the members of an ordered relationship that have none.
  package func assignPlaces(_ session: StoreSession) throws(StoreError) {
    let connection = session.connection
    try session.transactions.transaction { () throws(StoreError) in
      if isSymmetric && !renumbers {
        try PairPlaceAssignment(self, connection).run()
      } else {
        try PlaceAssignment(self, connection).run(session.position)
      }
    }
  }
}

/// Assigns places to pairs of an ordered relationship that is its own inverse.
///
/// A row may hold a pair for both of its objects, so its place must differ from those of all other pairs of
/// either. Pairs are numbered by their greater key and then by the other one, which is the ascending order
/// of the partners' keys for each object. Two rows of one pair get the same place.
struct PairPlaceAssignment: ~Copyable {
  private let pairs: Statement
  private let lastPlace: Statement
  private let update: Statement

  init(_ ordering: MemberOrdering, _ connection: Connection) throws(StoreError) {
    let table = "main.\(SQLText.quoted(ordering.table))"
    let owner = SQLText.quoted(ordering.ownerColumn)
    let member = SQLText.quoted(ordering.memberColumn)
    let order = SQLText.quoted(ordering.orderColumn)
    let pairs = try connection.prepare(
      "SELECT max(\(owner), \(member)) AS last, min(\(owner), \(member)) AS first, rowid "
        + "FROM \(table) WHERE \(owner) IS NOT NULL AND \(member) IS NOT NULL "
        + "AND \(order) IS NULL ORDER BY 1, 2"
    )
    let lastPlace = try connection.prepare("SELECT max(\(order)) FROM \(table)")
    let update = try connection.prepare("UPDATE \(table) SET \(order) = ?2 WHERE rowid = ?1")
    self.pairs = pairs
    self.lastPlace = lastPlace
    self.update = update
  }

  func run() throws(StoreError) {
    var place = try firstPlace()
    var last: (Int64, Int64)?
    while try pairs.step() {
      let pair = (pairs.int64(at: 0), pairs.int64(at: 1))
      if let last, last != pair { place = MemberOrdering.place(after: place) }
      last = pair
      try update.bind(.integer(pairs.int64(at: 2)), at: 1)
      try update.bind(.integer(place), at: 2)
      try update.run()
    }
  }

  private func firstPlace() throws(StoreError) -> Int64 {
    defer { lastPlace.reset() }
    guard try lastPlace.step(), case .integer(let last) = lastPlace.value(at: 0) else {
      return MemberOrdering.first
    }
    return MemberOrdering.place(after: last)
  }
}
