import BulkTestSupport
import Testing

/// A store and the versions of its model, migrated one by one or as one.
struct Chain {
  let directory: TemporaryDirectory
  /// The store, of the first model.
  let store: String
  let models: [String]
  /// The mapping files of the steps; `nil` for one that is inferred.
  let mappings: [String?]

  init(
    _ models: [ManagedObjectModel],
    _ mappings: [MappingModel?] = [],
    store: String,
    in directory: TemporaryDirectory
  ) throws {
    self.directory = directory
    self.store = store
    self.models = models.indices.map { directory.path("v\($0).mom") }
    for (model, path) in zip(models, self.models) { try TestStore.write(model, to: path) }
    var files: [String?] = []
    for (index, mapping) in mappings.enumerated() {
      files.append(mapping == nil ? nil : directory.path("to-v\(index + 1).json"))
      if let mapping, let path = files[index] {
        try mapping.json.write(toFile: path, atomically: true, encoding: .utf8)
      }
    }
    self.mappings = files + Array(repeating: nil, count: models.count - 1 - files.count)
  }

  /// A chain of models that lie somewhere.
  init(models: [String], store: String, in directory: TemporaryDirectory) {
    self.directory = directory
    self.store = store
    self.models = models
    mappings = Array(repeating: nil, count: models.count - 1)
  }

  func legs() throws -> [MigrationPlan.Leg] {
    let located = try models.map { try ModelLocator.model(named: $0) }
    let steps = try mappings.enumerated().map { index, path in
      let (source, destination) = (located[index], located[index + 1])
      let file = try path.map { try MappingFile.read($0) }
      let mapping = try StepMapping(file, from: source, to: destination).model
      return try MigrationStep(from: source, to: destination, mapping: mapping)
    }
    return try RouteFusion(steps, of: PersistentStore(path: store)).legs
  }

  func stepwise(_ name: String) throws -> StoreFile {
    try migrate(mappings.indices.map { $0..<$0 + 1 }, name)
  }

  /// Migrates leg by leg; `bySQL` lets SQLite insert all rows, which otherwise are written as pages where that is
  /// possible.
  func fused(_ name: String, bySQL: Bool = false) throws -> StoreFile {
    try migrate(ranges(), name, bySQL: bySQL)
  }

  private func ranges() throws -> [Range<Int>] {
    var end = 0
    return try legs().map { leg in
      defer { end += leg.steps }
      return end..<end + leg.steps
    }
  }

  func firstLeg(_ name: String, _ strategy: StoreStrategy.Kind) throws -> StoreFile {
    try migrate(Array(ranges().prefix(1)), name, strategy: strategy)
  }

  private func migrate(
    _ legs: [Range<Int>],
    _ name: String,
    bySQL: Bool = false,
    strategy: StoreStrategy.Kind? = nil
  ) throws -> StoreFile {
    var source = store
    for leg in legs {
      let plan = try Planner.plan(
        over: Array(models[leg.lowerBound...leg.upperBound]),
        // Versions that differ in nothing that their hashes tell are steps too.
        by: Array(mappings[leg]),
        from: source,
        to: directory.path("\(name)-\(leg.upperBound).sqlite"),
        strategy
      )
      #expect(!plan.hasSeveralLegs)
      var migration = Migration(inTestProcess: plan)
      if bySQL { migration.rowSink = { session, _ in SQLRowSink(session) } }
      guard let made = try migration.run().destinationPath else { continue }
      source = made
    }
    return StoreFile(source, keeping: directory)
  }
}

extension StoreFile {
  /// Everything that SQLite reads in the file, a line each; pages may lie in any order.
  func contents() throws -> [String] {
    let objects = try rows(
      "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema ORDER BY type, name"
    )
    var result = objects.map { "\($0)" }
    for case .text(let name) in try tables() {
      let columns = try columns(of: name).map { column in
        guard case .text(let name) = column else { return "NULL" }
        return "quote(\"\(name)\")"
      }.joined(separator: ", ")
      result += try rows("SELECT rowid, \(columns) FROM \"\(name)\" ORDER BY rowid")
        .map { "\(name): \($0)" }
    }
    return result
  }

  func bytes() throws -> [UInt8] { try Files.read(path) }
}
