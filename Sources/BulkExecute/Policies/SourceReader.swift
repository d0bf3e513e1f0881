internal import BulkLowering
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Reads single values of source objects for a policy, by key path.
final class SourceReader {
  private let entity: EntityDescription
  private let work: MigrationWork
  private let session: StoreSession
  private let tallies: RowTallies
  private var open: [String: SingleValue] = [:]

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
    if let known = open[path] { return try known.value(at: key) }
    let reader = try prepare(path)
    open[path] = reader
    tallies.note { $0.asked.insert(path) }
    return try reader.value(at: key)
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
    guard let found = SourcePath(path, from: entity, in: work.layout.schema) else {
      throw PolicyError.brokenPath(path, from: entity, in: work.layout.schema.model)
    }
    return try SingleValue(
      found.value,
      of: found.attribute,
      in: work.layout.schema.table(of: entity).name,
      store: work.store.path,
      session
    )
  }
}
