internal import BulkSupport
package import BulkModel

/// The inputs of the objects for which a part of an expression is evaluated.
///
/// The outermost frame has a row for each source object; in inner frames, a row is an element of a
/// collection and belongs to a row of the next outer frame.
final class EvaluationFrame {
  fileprivate let columns: [[EvaluatedValue]]
  fileprivate let outer: EvaluationFrame?
  fileprivate let outerRows: [Int]
  /// The keys of the source objects; empty in inner frames.
  fileprivate let keys: [Int64]
  /// The random seed of each row.
  fileprivate let seeds: [UInt64]

  /// Without `ordinals` every row is that of a source object; otherwise that of the element at its ordinal.
  init(_ columns: [[EvaluatedValue]], keys: [Int64], ordinals: [Int]? = nil, seed: UInt64) {
    self.columns = columns
    outer = nil
    outerRows = []
    self.keys = keys
    seeds = keys.enumerated().map { row, key in
      let ordinal = Int64(ordinals?[row] ?? 0)
      return RandomMix.mixed(seed, with: UInt64(bitPattern: key ^ ordinal << 32))
    }
  }

  /// The frame of those of some elements that have inputs; they belong to rows of an outer frame.
  init(_ elements: [Evaluator.Element], in outer: EvaluationFrame) {
    let objects = elements.compactMap {
      element -> (row: Int, ordinal: Int, values: [EvaluatedValue])? in
      element.value.inputs.map { (element.row, element.ordinal, $0) }
    }
    self.outer = outer
    outerRows = objects.map(\.row)
    keys = []
    let width = objects.map(\.values.count).max() ?? 0
    columns = (0..<width).map { column in
      objects.map { column < $0.values.count ? $0.values[column] : .null }
    }
    seeds = objects.map { RandomMix.mixed(outer.seeds[$0.row], with: UInt64($0.ordinal) + 1) }
  }

  var rows: EvaluationRows { EvaluationRows(frame: self, numbers: Array(seeds.indices)) }
}

extension EvaluatedValue {
  /// The inputs of an element: those of an object, or the value itself; `nil` for nil and for collections.
  var inputs: [EvaluatedValue]? {
    switch self {
    case .object(let object): object.values
    case .attribute(.null), .collection: nil
    case .attribute: [self]
    }
  }
}

/// Different rows of a frame, in ascending order.
struct EvaluationRows: RandomAccessCollection {
  let frame: EvaluationFrame
  let numbers: [Int]

  var startIndex: Int { 0 }
  var endIndex: Int { numbers.count }
  subscript(index: Int) -> EvaluationRow { EvaluationRow(frame: frame, number: numbers[index]) }

  /// The rows at some ordinals, which ascend.
  func only(_ indexes: [Int]) -> EvaluationRows {
    EvaluationRows(frame: frame, numbers: indexes.map { numbers[$0] })
  }

  func values(_ input: Int) -> [EvaluatedValue] {
    guard input < frame.columns.count else { return Array(repeating: .null, count: count) }
    let column = frame.columns[input]
    // As many different rows as there are, in ascending order, are all of them.
    return count == column.count ? column : numbers.map { column[$0] }
  }
}

/// A row of a frame.
struct EvaluationRow {
  let frame: EvaluationFrame
  let number: Int

  /// The row without others.
  var alone: EvaluationRows { EvaluationRows(frame: frame, numbers: [number]) }

  private var outer: EvaluationRow? {
    frame.outer.map { EvaluationRow(frame: $0, number: frame.outerRows[number]) }
  }

  /// An input of the row, in the frame that is a number of frames further out.
  func value(_ input: Int, frames: Int) -> EvaluatedValue {
    guard frames == 0 else { return outer?.value(input, frames: frames - 1) ?? .null }
    return input < frame.columns.count ? frame.columns[input][number] : .null
  }

  /// The source object's row that the row belongs to.
  var sourceRow: Int { outer?.sourceRow ?? number }

  /// The key of the source object that the row belongs to.
  var sourceKey: Int64 { outer?.sourceKey ?? frame.keys[number] }

  /// A UUID that is another one for each source object, entity, name and seed: version 4, variant 1.
  func uuid(of entity: String, _ name: String, _ seed: UInt64) -> UUID {
    let halves = ([1, 2] as [UInt64]).map { half in
      let state = "\(entity)\0\(name)".utf8.reduce(RandomMix.mixed(seed, with: half)) {
        RandomMix.mixed($0, with: UInt64($1))
      }
      return RandomMix.mixed(state, with: UInt64(bitPattern: sourceKey))
    }
    let high = halves[0] & ~0xf000 | 0x4000
    let low = halves[1] & ~(3 << 62) | 1 << 63
    // Both types have sixteen bytes, and each of them any value.
    return UUID(uuid: unsafe unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
  }

  /// A random number, determined by the row, the site and the seed of the run.
  func random(site: Int) -> UInt64 { RandomMix.mixed(frame.seeds[number], with: UInt64(site)) }
}

/// The inputs of expressions for some rows, in columns.
package struct ValuePage: Sendable {
  /// Of the source objects.
  package let keys: [Int64]
  /// The ordinals of elements, of which several may have a key; `nil` where the rows are those of source objects.
  let ordinals: [Int]?
  package let columns: [SourceInput: [EvaluatedValue]]

  /// A page of rows; every column, and `ordinals`, must have a value for every key.
  package init(
    keys: [Int64],
    ordinals: [Int]? = nil,
    columns: [SourceInput: [EvaluatedValue]]
  ) {
    precondition(
      columns.values.allSatisfy { $0.count == keys.count },
      "a column of a page has one value a row"
    )
    self.keys = keys
    self.ordinals = ordinals
    self.columns = columns
  }
}

package struct RowFailure: Hashable, Sendable {
  package let row: Int
  package let message: String

  package init(row: Int, message: String) {
    self.row = row
    self.message = message
  }
}

package struct PageResults<Value: Sendable>: Sendable {
  /// A value for each row; a failed row has a neutral value without meaning.
  package let values: [Value]
  /// The failed rows, each once, in ascending order.
  package let failures: [RowFailure]
}

/// A value from the source that an expression needs for every row.
///
/// It belongs to an object: the source object of the row, or an element of a collection.
package struct SourceInput: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// An attribute, or an element of a composite one, see ``AttributeDescription/leaves``.
    case attribute(AttributeType)
    /// 1 if an attribute has a value, else nil; no byte of the value is read.
    case presence
    /// An object of an entity; with an empty path, the object itself.
    case object(entity: String)
    /// The element for which an object is made; it is in no column.
    case element
    /// The objects of a to-many relationship to an entity.
    case objects(entity: String, isOrdered: Bool)
  }

  /// The names starting at the object: to-one relationships, then the attribute or the relationship that is
  /// read.
  package let path: [String]
  package let content: Content
  /// The inputs of the object, or of each of the objects, at the end of the path.
  package let members: [SourceInput]

  package static let element = SourceInput([], .element)

  package init(_ path: [String], _ content: Content, members: [SourceInput] = []) {
    self.path = path
    self.content = content
    self.members = members
  }
}

/// The inputs of one object, collected while an expression is compiled.
final class InputScope {
  private struct Draft {
    let path: [String]
    let content: SourceInput.Content
    let members: InputScope?
  }

  let entity: EntityDescription
  private var drafts: [Draft] = []

  init(_ entity: EntityDescription) { self.entity = entity }

  var inputs: [SourceInput] {
    drafts.map { SourceInput($0.path, $0.content, members: $0.members?.inputs ?? []) }
  }

  /// The index of an input, and for objects of an entity the scope of the inputs of each.
  func index(
    _ path: [String],
    _ content: SourceInput.Content,
    members entity: EntityDescription? = nil
  ) -> (index: Int, members: InputScope) {
    if let index = drafts.firstIndex(where: { $0.path == path && $0.content == content }) {
      return (index, drafts[index].members ?? self)
    }
    let members = entity.map { InputScope($0) }
    drafts.append(Draft(path: path, content: content, members: members))
    return (drafts.count - 1, members ?? self)
  }
}
