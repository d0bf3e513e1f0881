public import BulkModel
internal import BulkStore
internal import BulkLowering

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
final class SourceReader {
  private let entity: EntityDescription
  private let work: MigrationWork
  private let session: StoreSession
  private let tallies: RowTallies
  /// The values that were read, in the order in which a policy mostly reads them of each object.
  private var known: [(path: String, value: SingleValue)] = []
  /// The indexes of ``known``, by path.
  private var places: [String: Int] = [:]
  /// The index of the value behind the one that was read last.
  private var next = 0

  init(
    _ entity: EntityDescription,
    _ work: MigrationWork,
    _ session: StoreSession,
    tallies: RowTallies
  ) {
    self.tallies = tallies
    self.entity = entity
    self.work = work
    self.session = session
  }

  /// The value at the end of a path, for the object with a key.
  func value(of path: String, at key: Int64) throws -> AttributeValue {
    try value(of: path).value(at: key)
  }

  /// Ends reading, so that a transaction can end.
  func end() {
    for (_, value) in known { value.end() }
  }

  private func value(of path: String) throws -> SingleValue {
    if next == known.count { next = 0 }
    let isNext = known.indices.contains(next) && known[next].path == path
    if let place = isNext ? next : places[path] {
      next = place + 1
      return known[place].value
    }
    let value = try prepare(path)
    places[path] = known.count
    known.append((path, value))
    next = known.count
    tallies.note { $0.readAttributes.insert(path) }
    return value
  }

  /// The value of an argument of a policy's function; `nil` for objects.
  func value(of argument: PolicyRelationship.Argument, at key: Int64) throws -> AttributeValue {
    switch argument {
    case .constant(let value): value
    case .path(let path): try value(of: path, at: key)
    case .object: .null
    }
  }

  private func prepare(_ path: String) throws -> SingleValue {
    guard let found = InputLowering(work.layout.schema).attribute(path, from: entity) else {
      throw PolicyError.brokenPath(path, from: entity, in: work.layout.schema.model)
    }
    return try SingleValue(
      found.expression,
      of: found.attribute,
      in: work.layout.schema.table(of: entity).name,
      store: work.store.path,
      session
    )
  }
}
