import BulkTestSupport

extension Scenario {
  /// What the reference makes of the store by the first step.
  func reference() throws -> ReferenceObjects {
    let directory = try TemporaryDirectory()
    let store = try write(to: directory.path("source.sqlite"))
    let source = SourceObjects(try StoreContents(of: store, model, after: 0))
    return ReferenceMigrator.migrate(source, by: steps[0])
  }
}
