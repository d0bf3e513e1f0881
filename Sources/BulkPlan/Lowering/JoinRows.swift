internal import BulkStore

/// Where the pairs of a source relationship lie, seen as the rows of a join table.
struct JoinRows: Sendable {
  /// The source table.
  let table: String
  /// The column with the key of the destination relationship's owner.
  let ownerColumn: String
  /// The column with the key of its member.
  let memberColumn: String
  /// The column with the member's place, if there is one.
  let memberOrderColumn: String?
  /// The column with the owner's place in the inverse, if there is one.
  let ownerOrderColumn: String?
  /// Whether the table is a join table itself.
  let isJoinTable: Bool

  private init(
    table: String,
    ownerColumn: String,
    memberColumn: String,
    memberOrderColumn: String?,
    ownerOrderColumn: String?,
    isJoinTable: Bool
  ) {
    self.table = table
    self.ownerColumn = ownerColumn
    self.memberColumn = memberColumn
    self.memberOrderColumn = memberOrderColumn
    self.ownerOrderColumn = ownerOrderColumn
    self.isJoinTable = isJoinTable
  }

  /// The rows that hold a relationship; `nil` where it has no columns.
  init?(_ link: SourceLink, in source: StoreSchema) {
    guard let storage = source.storage(of: link.key) else { return nil }
    let owner: String
    let member: String
    var memberOrder: String?
    var ownerOrder: String?
    var isJoinTable = false
    switch storage {
    case .foreignKey(let table, let column, _):
      (self.table, owner, member) = (table, "Z_PK", column)
      ownerOrder = source.orderColumn(behindToOne: link.key)
    case .inverse(let inverse, let order):
      guard case .foreignKey(let table, let column, _) = source.storage(of: inverse) else {
        return nil
      }
      (self.table, owner, member, memberOrder) = (table, column, "Z_PK", order)
    case .hiddenForeignKey(let table, let column, let order):
      (self.table, owner, member, memberOrder) = (table, column, "Z_PK", order)
    case .join(let join, let isOwner):
      isJoinTable = true
      table = join.name
      owner = isOwner ? join.ownerColumn : join.memberColumn
      member = isOwner ? join.memberColumn : join.ownerColumn
      memberOrder = isOwner ? join.memberOrderColumn : join.ownerOrderColumn
      ownerOrder = isOwner ? join.ownerOrderColumn : join.memberOrderColumn
    }
    ownerColumn = link.isReversed ? member : owner
    memberColumn = link.isReversed ? owner : member
    memberOrderColumn = link.isReversed ? ownerOrder : memberOrder
    ownerOrderColumn = link.isReversed ? memberOrder : ownerOrder
    self.isJoinTable = isJoinTable
  }

  /// The same pairs from the other end; `nil` unless the relationship is its own inverse, so that a pair
  /// holds in both directions.
  func otherDirection(of link: SourceLink, in source: StoreSchema) -> JoinRows? {
    guard isJoinTable, source.model.isOwnInverse(link.key) else { return nil }
    return JoinRows(
      table: table,
      ownerColumn: memberColumn,
      memberColumn: ownerColumn,
      memberOrderColumn: memberOrderColumn,
      ownerOrderColumn: ownerOrderColumn,
      isJoinTable: true
    )
  }

  /// A row counts when both of its keys are there.
  var conditions: [RowTransfer.Condition] {
    [ownerColumn, memberColumn].filter { $0 != "Z_PK" && !isJoinTable }
      .map { .notNull(.column($0)) }
  }
}
