internal import BulkModel
internal import BulkStore

/// The results of evaluation for the rows of a page.
final class EvaluatedPage {
  /// The function with which a policy computes `FUNCTION($entityPolicy, …)`.
  typealias PolicyAnswer = (_ selector: String, _ arguments: [AttributeValue]) throws ->
    AttributeValue

  static func refuse(
    _ selector: String,
    _ arguments: [AttributeValue]
  ) throws -> AttributeValue {
    throw PolicyError("\(selector) is sent to a policy, but the entity mapping has none")
  }

  /// An attribute that was evaluated.
  private struct Attribute {
    let name: String
    /// Its values, row by row; none where a policy gives them.
    let values: [AttributeValue]
    let selector: String?
    let arguments: [[AttributeValue]]
  }

  private(set) var isTaken: [Bool]
  private var attributes: [Attribute] = []
  /// The columns of ``attributes`` in rows of the shape that was filled last.
  private var columns: [EntityRowShape.AttributeColumn?] = []
  private var filled: EntityRowShape?
  private let answer: PolicyAnswer

  /// `answer` calls functions of the mapping's policy.
  init(isTaken: [Bool], _ answer: @escaping PolicyAnswer) {
    (self.isTaken, self.answer) = (isTaken, answer)
  }

  /// Fewer rows than requested if the values of all are too large.
  var count: Int { isTaken.count }

  /// Values come row by row; the page ends where they end.
  func add(_ name: String, _ values: [AttributeValue]) {
    end(after: values.count)
    attributes.append(Attribute(name: name, values: values, selector: nil, arguments: []))
  }

  /// The arguments come row by row.
  func add(_ name: String, by selector: String, _ arguments: [[AttributeValue]]) {
    for argument in arguments { end(after: argument.count) }
    attributes.append(
      Attribute(name: name, values: [], selector: selector, arguments: arguments)
    )
  }

  private func end(after rows: Int) { isTaken.removeLast(max(0, count - rows)) }

  func fill(_ row: inout EntityRow, from index: Int) throws {
    find(row.shape)
    for number in attributes.indices {
      if let selector = attributes[number].selector {
        let value = try answer(selector, attributes[number].arguments.map { $0[index] })
        _ = row.set(value, for: attributes[number].name)
        // An answer may fill rows of another shape.
        find(row.shape)
      } else if let column = columns[number] {
        row.set(attributes[number].values[index], in: column)
      }
    }
  }

  private func find(_ shape: EntityRowShape) {
    guard filled !== shape else { return }
    filled = shape
    columns = attributes.map { shape.column(of: $0.name) }
  }
}

/// The values of a source object under its entity mapping.
struct MappedRow {
  let sourceKey: Int64
  /// The key of the first object made from it.
  let keptKey: Int64
  let columns: MappedColumns
  /// The page with the attributes that had to be evaluated; `nil` if there are none.
  let page: EvaluatedPage?
  let index: Int

  func fillAttributes(of row: inout EntityRow) throws {
    columns.fillAttributes(of: &row)
    try page?.fill(&row, from: index)
  }
}
