import BulkModel

/// Compares a store with the objects of the reference.
struct Comparison {
  private let expected: ReferenceObjects
  private let found: StoreContents
  /// The rows of the expected objects.
  private var rows: [Int: StoredRow] = [:]
  /// The expected objects by their rows.
  private var indices: [RowID: Int] = [:]
  private(set) var differences: [Difference] = []

  private var model: ModelSketch { expected.model }

  /// Compares; the mappings whose names are told compute `loud`.
  init(
    _ expected: ReferenceObjects,
    with found: StoreContents,
    isEvaluated: (String) -> Bool = { _ in false }
  ) {
    self.expected = expected
    self.found = found
    matchObjects(isEvaluated)
    for relationship in model.entities.flatMap(\.relationships) { compare(relationship) }
    differences += StoreRules(of: found).differences
    if expected.violations > 0 {
      note(.rule, "\(expected.violations) rules are broken, and nothing was refused")
    }
  }

  private mutating func note(_ kind: Difference.Kind, _ text: String) {
    differences.append(Difference(kind: kind, text: text))
  }

  // MARK: Objects

  private mutating func matchObjects(_ isEvaluated: (String) -> Bool) {
    var rest: [Marks: Int] = [:]
    for (index, object) in expected.objects.enumerated() { rest[object.marks] = index }
    for row in found.rows.values.sorted(by: { $0.id < $1.id }) {
      guard let index = rest.removeValue(forKey: row.marks) else {
        note(.object, "\(row.marks) was not to be made, but is row \(row.id)")
        continue
      }
      rows[index] = row
      indices[row.id] = index
      compare(row, with: expected.objects[index], isEvaluated)
    }
    for marks in rest.keys.sorted() { note(.object, "\(marks) is missing") }
  }

  private mutating func compare(
    _ row: StoredRow,
    with object: ReferenceObjects.Object,
    _ isEvaluated: (String) -> Bool
  ) {
    if row.entityNumber != found.names.number(of: object.entity) {
      note(.object, "\(row.marks) has entity number \(row.entityNumber), not \(object.entity)")
    }
    if row.number != object.number {
      note(.object, "n of \(row.marks) is \(row.number.text), not \(object.number.text)")
    }
    let text = object.marks.text
    let loud = isEvaluated(object.marks.maker ?? "") ? text.uppercased() : text
    if row.loud != loud { note(.object, "loud of \(row.marks) is \(row.loud ?? "nil")") }
  }

  // MARK: Relationships

  private mutating func compare(_ relationship: RelationshipDescription) {
    let owners = model.kinds(of: model.owner(of: relationship))
    let storage = found.names.storage(of: relationship)
    for (index, object) in expected.objects.enumerated() where owners.contains(object.entity) {
      guard let row = rows[index] else { continue }
      let members = members(of: relationship, storage, row)
      compare(members, with: expected.members(of: relationship.name, index), relationship, row)
    }
  }

  /// The rows that an object's relationship leads to, in their order.
  private func members(
    of relationship: RelationshipDescription,
    _ storage: RelationshipStorage,
    _ row: StoredRow
  ) -> [StoredMember] {
    let root = model.root(of: relationship.destinationEntityName)
    switch storage {
    case .column(let column):
      return row.cells[column.name].map { [StoredMember(id: RowID(root: root, key: $0))] } ?? []
    case .membersColumn(let column):
      return found.rows.values
        .filter { $0.id.root == root && $0.cells[column.name] == row.id.key }
        .map { member in
          StoredMember(id: member.id, position: column.position.flatMap { member.cells[$0] })
        }.sorted()
    case .pairs(let join):
      return found.pairs(join).filter { $0.owner == row.id.key }
        .map { StoredMember(id: RowID(root: root, key: $0.member), position: $0.position) }.sorted()
    }
  }

  private mutating func compare(
    _ members: [StoredMember],
    with expected: [Int],
    _ relationship: RelationshipDescription,
    _ row: StoredRow
  ) {
    let position = "\(relationship.name) of \(row.marks)"
    let known = members.compactMap { indices[$0.id] }
    for member in members where found.rows[member.id] == nil {
      note(.stray, "\(position) leads to \(member.id), which is not a row")
    }
    guard Set(known) == Set(expected) else {
      note(.link, "\(position) is \(text(known.sorted())), not \(text(expected.sorted()))")
      return
    }
    guard relationship.isOrdered else { return }
    if known != expected {
      note(.order, "\(position) is \(text(known)), not \(text(expected))")
    }
    let positions = members.indices.map { Int64(2048 + 1024 * $0) }
    if members.map(\.position) != positions {
      note(.orderKey, "\(position) has the places \(members.map(\.position.text))")
    }
  }

  private func text(_ indices: [Int]) -> String {
    "[" + indices.map { expected.objects[$0].marks.description }.joined(separator: ", ") + "]"
  }
}

/// A member of a stored relationship with its place.
private struct StoredMember: Comparable {
  let id: RowID
  var position: Int64?

  static func < (one: StoredMember, other: StoredMember) -> Bool {
    (one.position ?? .min, one.id) < (other.position ?? .min, other.id)
  }
}

/// What a store has otherwise than the reference.
struct Difference: Hashable, Sendable {
  /// What differs.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An object is missing, or was not to be made, or has another entity or other values.
    case object
    /// An object refers to another one than it should, or to none.
    case link
    /// A key leads to no object, or stands in a row without the relationship.
    case stray
    /// Members stand in another order.
    case order
    /// The keys of an order are not 2048, 3072 and so on, or stand beside no key.
    case orderKey
    /// The entity number beside a key is not that of the object.
    case entityNumber
    /// A pair is stored in one direction only.
    case pair
    /// `Z_PRIMARYKEY` is behind the keys in use.
    case highestKey
    /// Objects break the rules of their model, or do not, unlike those of the reference.
    case rule
    /// A run failed.
    case failure
  }

  let kind: Kind
  let text: String
}

extension Difference: CustomStringConvertible {
  var description: String { "\(kind): \(text)" }
}
