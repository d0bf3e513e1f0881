import BulkModel

/// Checks what every store keeps to, whatever is in it (formats/store.md 2.2 to 2.5, 4.1 to 4.4 and 5.3).
struct StoreRules {
  private let store: StoreContents
  /// The rows by key, root by root.
  private let rows: [StoredRow]
  private(set) var differences: [Difference] = []

  private var model: ModelSketch { store.model }

  init(of store: StoreContents) {
    self.store = store
    rows = store.rows.values.sorted { $0.id < $1.id }
    for relationship in model.entities.flatMap(\.relationships) { check(relationship) }
    checkHighestKeys()
  }

  private mutating func note(_ kind: Difference.Kind, _ text: String) {
    differences.append(Difference(kind: kind, text: text))
  }

  private mutating func check(_ relationship: RelationshipDescription) {
    let owner = model.owner(of: relationship)
    let end = relationship.destinationEntityName
    switch store.names.storage(of: relationship) {
    case .column(let column):
      checkKeys(column, relationship, in: owner, to: end)
      checkEntityNumbers(column, relationship)
    case .membersColumn(let column):
      // The column of a relationship with an inverse is that of the inverse.
      if relationship.inverseName == nil { checkKeys(column, relationship, in: end, to: owner) }
    case .pairs(let join): checkPairs(join, relationship)
    }
  }

  /// A key stands only in rows that have the relationship, leads to an object, and has a place, which
  /// stands nowhere else.
  private mutating func checkKeys(
    _ column: KeyColumn,
    _ relationship: RelationshipDescription,
    in holder: String,
    to target: String
  ) {
    let holders = Set(store.rows(ofKindsOf: holder).map(\.id))
    let targets = Set(store.rows(ofKindsOf: target).map(\.id.key))
    for row in rows where row.id.root == model.root(of: holder) {
      let key = row.cells[column.name]
      let text = "\(relationship.name), column \(column.name) of \(row.marks), is \(key.text)"
      if let key {
        if !holders.contains(row.id) { note(.stray, "\(text), in a row without it") }
        if !targets.contains(key) { note(.stray, "\(text), which is no \(target)") }
      }
      guard let order = column.position, (row.cells[order] == nil) != (key == nil) else { continue }
      note(.orderKey, "\(text), with the place \(row.cells[order].text)")
    }
  }

  /// The entity number beside a key is that of the row that the key leads to.
  private mutating func checkEntityNumbers(
    _ column: KeyColumn,
    _ relationship: RelationshipDescription
  ) {
    guard let entity = column.entity else { return }
    let root = model.root(of: relationship.destinationEntityName)
    for row in rows {
      let key = row.cells[column.name]
      let member = key.flatMap { store.rows[RowID(root: root, key: $0)] }
      guard member != nil || key == nil, row.cells[entity] != member?.entityNumber else { continue }
      note(
        .entityNumber,
        "\(relationship.name) of \(row.marks) has the entity number \(row.cells[entity].text), "
          + "not \((member?.entityNumber).text)"
      )
    }
  }

  /// Pairs lead from objects to objects, each once; of a relationship that is its own inverse both
  /// directions are there.
  private mutating func checkPairs(_ join: Join, _ relationship: RelationshipDescription) {
    let pairs = store.pairs(join).map { [$0.owner, $0.member] }
    let owners = Set(store.rows(ofKindsOf: model.owner(of: relationship)).map(\.id.key))
    let members = Set(store.rows(ofKindsOf: relationship.destinationEntityName).map(\.id.key))
    for pair in pairs {
      let text = "\(relationship.name) has the pair \(pair)"
      if !owners.contains(pair[0]) || !members.contains(pair[1]) {
        note(.stray, "\(text), which leads to no object")
      }
      if pairs.count(where: { $0 == pair }) > 1 { note(.pair, "\(text) several times") }
      if join.isOwnInverse, !pairs.contains([pair[1], pair[0]]) {
        note(.pair, "\(text), but not the other way round")
      }
    }
  }

  private mutating func checkHighestKeys() {
    for entity in model.entities {
      let highest = store.highestKeys[entity.name]
      guard entity.superentityName == nil else {
        if highest != 0 { note(.highestKey, "Z_MAX of \(entity.name) is \(highest.text), not 0") }
        continue
      }
      let used = rows.filter { $0.id.root == entity.name }.map(\.id.key).max() ?? 0
      if highest.map({ $0 < used }) ?? true {
        note(.highestKey, "Z_MAX of \(entity.name) is \(highest.text), less than \(used)")
      }
    }
  }
}

extension Optional where Wrapped == Int64 {
  /// The number, or `nil`.
  var text: String { map { "\($0)" } ?? "nil" }
}
