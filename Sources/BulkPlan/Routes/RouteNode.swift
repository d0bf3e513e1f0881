internal import BulkModel

/// A version of a model as a place on the way: all models with the same version hashes are one.
final class RouteNode {
  /// What it is called.
  let name: String
  /// The version hashes of its entities, by name.
  let hashes: [String: VersionHash]
  /// Its place in the order of versions; `nil` where it stands in none.
  let place: Int?
  private let reading: () throws(PlanError) -> LocatedModel

  init(
    _ name: String,
    hashes: [String: VersionHash],
    place: Int? = nil,
    _ reading: @escaping () throws(PlanError) -> LocatedModel
  ) {
    self.name = name
    self.hashes = hashes
    self.place = place
    self.reading = reading
  }

  /// The model.
  ///
  /// - Throws: ``PlanError`` if it cannot be read.
  func located() throws(PlanError) -> LocatedModel { try reading() }
}
