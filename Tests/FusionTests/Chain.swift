import BulkCoding
import BulkExecute
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import Foundation

/// A store and the versions of its model, migrated one by one or as one.
struct Chain {
  let directory: TemporaryDirectory
  /// The store, of the first model.
  let store: String
  /// The files of the models.
  let models: [String]

  /// Writes the models of a chain beside a store.
  init(_ models: [ManagedObjectModel], store: String, in directory: TemporaryDirectory) throws {
    self.directory = directory
    self.store = store
    self.models = models.indices.map { directory.path("v\($0).mom") }
    for (model, path) in zip(models, self.models) { try TestStore.write(model, to: path) }
  }

  /// A chain of models that lie somewhere.
  init(models: [String], store: String, in directory: TemporaryDirectory) {
    self.directory = directory
    self.store = store
    self.models = models
  }

  /// The legs in which the whole chain is done.
  func legs() throws -> [MigrationLeg] {
    let located = try models.map { try ModelLocator.model(named: $0) }
    let hops = MigrationHop.hops(located, mapping: nil)
    return try RouteFusion(hops, of: PersistentStore(path: store)).legs
  }

  /// Migrates one version after the other.
  func stepwise(_ name: String, movesWholeTables: Bool = false) throws -> StoreFile {
    let steps = models.indices.dropFirst().map { [models[$0]] }
    return try migrate(steps, name, movesWholeTables: movesWholeTables)
  }

  /// Migrates leg by leg.
  func fused(_ name: String, movesWholeTables: Bool = false) throws -> StoreFile {
    var last = 0
    let steps = try legs().map { leg in
      defer { last += leg.hops.count }
      return Array(models[(last + 1)...(last + leg.hops.count)])
    }
    return try migrate(steps, name, movesWholeTables: movesWholeTables)
  }

  private func migrate(
    _ steps: [[String]],
    _ name: String,
    movesWholeTables: Bool
  ) throws -> StoreFile {
    var request = PlanRequest()
    request.source = store
    request.sourceModel = models[0]
    // Versions that differ in nothing that their hashes tell are steps too.
    request.rebuilds = true
    for (number, step) in steps.enumerated() {
      request.through = step.dropLast()
      request.destinationModel = step.last
      request.destination = directory.path("\(name)-\(number + 1).sqlite")
      var migration = Migration(try Planner.plan(request))
      migration.movesWholeTables = movesWholeTables
      migration.memoryLimit = .gibibytes(64)
      guard let made = try migration.run().destination else { continue }
      request.source = made
      request.sourceModel = step.last
    }
    return StoreFile(request.source ?? store, keeping: directory)
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

  /// The bytes of the file.
  func bytes() throws -> [UInt8] { try Files.read(path) }
}
