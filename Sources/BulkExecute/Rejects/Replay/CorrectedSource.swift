internal import BulkSupport
package import BulkPlan
internal import BulkMapping
internal import BulkModel
package import BulkStore

/// A copy of a source with the values and to-one relationships of reject files.
package struct CorrectedSource {
  private let source: String
  private let strays: [StrayRows]
  private let schema: StoreSchema
  private let edits: [Edit]

  /// A value that differs from the source's.
  private struct Edit {
    let location: String
    let entity: String
    let key: Int64
    let property: String
    var content: Content
    var text: String { "\(entity) \(key) \(property) \(content)\n" }
  }

  private enum Content {
    case value(AttributeValue)
    case reference(Int64?)
  }

  /// Throws ``MigrationError/unusableRejects(_:)`` if a file makes no sense.
  package init(_ folder: RejectFolder, of plan: MigrationPlan) throws {
    source = plan.source.store
    do {
      strays = try plan.checkedStrays()
      let store = try PersistentStore(path: plan.source.store)
      schema = try plan.work().layout.schema
      edits = try Self.edits(folder, SourceObjects(store, schema), schema.model)
    } catch let error as StoreError {
      throw MigrationError.plan(.store(error, path: plan.source.store))
    } catch let error as PlanError {
      throw MigrationError.plan(error)
    }
  }

  /// Makes the copy under a name, which it loses; it is read in place of the source, whose external values are
  /// read where they are.
  ///
  /// Equal sources and files give equal bytes. Returns `nil` if no value differs from the source; throws
  /// ``MigrationError/unusableRejects(_:)`` if something was corrected that cannot be set.
  package func copy(as path: String) throws -> SourceCopy? {
    guard !edits.isEmpty else { return nil }
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      try PersistentStore(path: source).copy(to: path) { false }
      try correct(path)
      let digest = Digest.text(of: edits.flatMap { Array($0.text.utf8) })
      return try SourceCopy(
        of: source,
        without: strays,
        reading: path,
        corrections: digest
      )
    } catch let error as StoreError {
      throw MigrationError(error, source: source, scratch: path)
    }
  }

  private func correct(_ path: String) throws {
    let correction = try SourceCorrection(path, schema)
    try correction.transaction { for edit in edits { try Self.make(edit, with: correction) } }
  }

  private static func make(_ edit: Edit, with correction: SourceCorrection) throws {
    let refusal =
      switch edit.content {
      case .value(let value):
        try correction.set(value, for: edit.property, of: edit.entity, key: edit.key)
      case .reference(let target):
        try correction.set(target, to: edit.property, of: edit.entity, key: edit.key)
      }
    if let refusal { throw MigrationError.unusableRejects("\(edit.location): \(refusal)") }
  }

  private static func edits(
    _ folder: RejectFolder,
    _ objects: SourceObjects,
    _ model: ManagedObjectModel
  ) throws -> [Edit] {
    var edits: [Edit] = []
    for entity in folder.entities {
      let lines = try FileLines(folder.file(of: entity))
      var number = 0
      var digest = RejectDigest()
      let known = model.entity(named: entity)
      while let line = try lines.next() {
        number += 1
        let location = "\(folder.file(of: entity)):\(number)"
        guard let line = RejectLine(line), line.entity == entity else {
          throw MigrationError.unusableRejects(
            "\(location): it is not a line of a reject file of \(entity)"
          )
        }
        digest.add(line)
        for var edit in try Self.edits(of: line, at: location, objects) {
          if case .value(let value) = edit.content, let known,
            let type = model.leaf(named: edit.property, of: known)?.attribute.attributeType
          {
            guard type.objection(to: value) == nil, let exact = type.exactly(value) else {
              throw MigrationError.unusableRejects(
                "\(location): \(entity) \(edit.key): \(value.json ?? "the value") of \(edit.property) "
                  + "\(type.objection(to: value) ?? "is not a value for an attribute") of type \(type.name)"
              )
            }
            edit.content = .value(exact)
          }
          edits.append(edit)
        }
      }
      if let written = folder.summary.keys?[entity], written != digest.text {
        throw MigrationError.unusableRejects(
          "the keys in \(folder.file(of: entity)) are not those of the objects that were left out; keep every line with "
            + "its key, and correct values only, none of a later leg"
        )
      }
    }
    return edits
  }

  private static func edits(
    of line: RejectLine,
    at location: String,
    _ objects: SourceObjects
  ) throws -> [Edit] {
    guard let key = line.key else { return [] }
    let found = try objects.object(of: line.entity, key)
    let values = try members("values", line) { member throws(MigrationError) in
      guard let value = AttributeValue(json: member.value) else {
        throw .unusableRejects(
          "\(location): \(member.name) has no value that an attribute can have"
        )
      }
      let known = found?.values.first { $0.name == member.name }?.value
      return known?.json == value.json ? nil : .value(value)
    }
    let references = try members("relationships", line) { member throws(MigrationError) in
      let value = AttributeValue(json: member.value)
      var target: Int64?
      if case .integer(let key)? = value { target = key }
      guard target != nil || value == .null else {
        throw .unusableRejects(
          "\(location): \(member.name) is neither the key of an object nor null"
        )
      }
      let known = found?.references.first { $0.name == member.name }?.key
      return known == target ? nil : .reference(target)
    }
    return (values + references).map { name, content in
      Edit(location: location, entity: line.entity, key: key, property: name, content: content)
    }
  }

  private static func members(
    _ name: String,
    _ line: RejectLine,
    _ edit: (JSONMember) throws -> Content?
  ) throws -> [(String, Content)] {
    try line.members(of: name).compactMap { member in try edit(member).map { (member.name, $0) } }
  }
}

extension AttributeType {
  /// A value as a column of the type holds it; `nil` if the column would hold another one.
  fileprivate func exactly(_ value: AttributeValue) -> AttributeValue? {
    let range = self == .boolean ? 0...1 : integerRange
    let number: (whole: Int64?, real: Double)
    switch value {
    case .boolean(let flag): number = (flag ? 1 : 0, flag ? 1 : 0)
    case .integer(let whole): number = (whole, Double(whole))
    case .double(let real): number = (Int64(exactly: real), real)
    case .decimal(let decimal):
      number = (Int64(decimal.description), Double(decimal.description) ?? .infinity)
    case .null, .string, .date, .binary, .uuid, .uri: return value
    }
    if let range { return number.whole.flatMap { range.contains($0) ? .integer($0) : nil } }
    guard self == .float else { return value }
    let single = Double(Float(number.real))
    return single.isFinite ? .double(single) : nil
  }
}
