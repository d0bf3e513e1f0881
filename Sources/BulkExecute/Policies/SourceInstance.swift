public import BulkModel
internal import BulkStore
internal import BulkPlan

/// A source object, as a policy sees it while its row is read.
///
/// It cannot be copied or kept, so a policy holds one object at a time however large the store is.
public struct SourceInstance: ~Copyable {
  /// The object's identity in the source.
  public let objectID: ObjectID
  let reader: SourceReader

  init(_ objectID: ObjectID, _ reader: SourceReader) {
    self.objectID = objectID
    self.reader = reader
  }

  /// The value of an attribute, or of one at the end of a path of to-one relationships, or `nil`.
  ///
  /// Throws a ``PolicyError`` for a name that the source does not have, and any error of reading.
  public subscript(attribute: String) -> AttributeValue? {
    get throws {
      let value = try value(forKeyPath: attribute)
      return value == .null ? nil : value
    }
  }

  /// The value at the end of a path of to-one relationships, as in `note.body`.
  ///
  /// - Returns: The value; `.null` if it or an object along the path is nil.
  /// - Throws: ``PolicyError`` if the path does not lead to an attribute along to-one relationships.
  public func value(forKeyPath path: String) throws -> AttributeValue {
    try reader.value(of: path, at: objectID.key)
  }
}

/// Reads single values of source objects for a policy, by key path.
///
/// The attributes that a policy reads of the first object it mostly reads of all others as well, so one statement reads
/// them together from then on. Large values are read only where they are asked for.
final class SourceReader {
  private final class Known {
    let value: SelectedColumn
    let isOfRow: Bool
    /// By itself at first.
    var reader: ObjectValues
    /// The index of the value among those that are read with it.
    var index = 0

    init(_ value: SelectedColumn, isOfRow: Bool, _ reader: ObjectValues) {
      (self.value, self.isOfRow, self.reader) = (value, isOfRow, reader)
    }
  }

  private let entity: EntityDescription
  private let work: MigrationWork
  private let session: StoreSession
  private let tallies: RowTallies
  private var known = RecurringNames<Known>()
  private let hasSmallRows: Bool
  /// Until a second object is read.
  private var first: Int64?

  init(
    _ entity: EntityDescription,
    _ work: MigrationWork,
    _ session: StoreSession,
    tallies: RowTallies,
    hasSmallRows: Bool
  ) {
    self.tallies = tallies
    self.entity = entity
    self.work = work
    self.session = session
    self.hasSmallRows = hasSmallRows
  }

  func value(of path: String, at key: Int64) throws -> AttributeValue {
    if let first, first != key { join() }
    let found = try known.value(of: path) ?? find(path, at: key)
    return try found.reader.value(found.index, at: key)
  }

  /// Ends reading, so that a transaction can end.
  func end() {
    for value in known.values { value.reader.end() }
  }

  private func join() {
    first = nil
    guard hasSmallRows else { return }
    // The values at the ends of paths may be larger than a row.
    let joined = known.values.filter(\.isOfRow)
    // SQLite does not give as many values at once as a table may have columns.
    guard joined.count > 1, let together = try? values(joined.map(\.value)) else { return }
    for (index, value) in joined.enumerated() { (value.reader, value.index) = (together, index) }
  }

  /// Nil for what the policy has already, as `$source` and `$manager`.
  func value(of argument: ValueExpression, at key: Int64) throws -> AttributeValue {
    switch argument {
    case .constant(let value): value
    case .keyPath(let path, of: .variable("source")): try value(of: path, at: key)
    default: .null
    }
  }

  private func find(_ path: String, at key: Int64) throws -> Known {
    if known.values.isEmpty { first = key }
    guard let found = InputCompiler(work.layout.schema).attribute(path, from: entity) else {
      throw PolicyError.brokenPath(path, from: entity, in: work.layout.schema.model)
    }
    let value = SelectedColumn(found.expression, of: found.attribute)
    let reader = try values([value])
    tallies.note { $0.readAttributes.insert(path) }
    return known.add(Known(value, isOfRow: !path.contains("."), reader), for: path)
  }

  private func values(_ values: [SelectedColumn]) throws -> ObjectValues {
    try ObjectValues(
      values,
      in: work.layout.schema.table(of: entity).name,
      store: work.store.path,
      session
    )
  }
}
