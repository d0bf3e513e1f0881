package import BulkMapping
package import BulkModel
internal import BulkSupport

/// A mapping file that was found; it is read at first use.
package final class LibraryMapping {
  /// What a mapping states of one of its models.
  package enum End {
    case model(LocatedModel, hashes: [String: VersionHash])
    /// The version hashes of the entities that it maps.
    case entities([String: VersionHash])
    /// Nothing, for a reason.
    case unknown(String)
  }

  package let path: String
  private lazy var reading = Result { () throws(PlanError) in try MappingFile.planned(path) }
  private var ends: [MappingFile.Side: End] = [:]

  package init(path: String) { self.path = path }

  package init(_ file: MappingFile) {
    path = file.path
    reading = .success(file)
  }

  var isCompiled: Bool { path.lowercased().hasSuffix(".cdm") }

  /// The file's name without extension; a compiled mapping has that of the mapping it was compiled from.
  package var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// Whether a JSON file is a mapping file, by its beginning; other files go by their names.
  package var isMapping: Bool {
    guard path.lowercased().hasSuffix(".json") else { return true }
    let beginning = FileReading.beginning(of: path, count: 65_536) ?? []
    return beginning.contains(Array("\"bulkmigrate\"".utf8))
      && beginning.contains(Array("\"\(MappingFile.format)\"".utf8))
  }

  package func file() throws(PlanError) -> MappingFile { try reading.get() }

  package func end(_ side: MappingFile.Side) -> End {
    if let known = ends[side] { return known }
    let end: End
    do throws(PlanError) {
      end = try find(side, try file())
    } catch {
      end = .unknown("\(error)")
    }
    ends[side] = end
    return end
  }

  private func find(_ side: MappingFile.Side, _ file: MappingFile) throws(PlanError) -> End {
    let endpoint = side == .source ? file.source : file.destination
    var located: LocatedModel?
    if let path = endpoint.model {
      located = try ModelLocator.model(named: path)
    } else {
      located = try ModelLocator.copy(of: side, in: file)
      located?.input.copy = side.rawValue
    }
    if let located { return .model(located, hashes: located.model.entityVersionHashesByName) }
    let hashes = file.compiledHashes(of: side)
    return hashes.isEmpty ? .unknown("it names no \(side.rawValue) model") : .entities(hashes)
  }

  /// The number of entities of a model that a mapping does not map; `nil` if it is not for this
  /// model.
  ///
  /// A mapping model is for every model that has the entities it maps, as their version hashes tell
  /// (formats/migration.md 1.2, 8.1); a hash holds the entity's name. A JSON file infers the rest
  /// between the models that it names, so it is for these alone.
  func unmappedEntityCount(
    _ side: MappingFile.Side,
    _ hashes: [String: VersionHash]
  ) -> Int? {
    switch end(side) {
    case .model(_, let own):
      if own == hashes { 0 } else { mappedHashes(side, own).flatMap { Self.unmapped($0, hashes) } }
    case .entities(let own): Self.unmapped(own, hashes)
    case .unknown: nil
    }
  }

  /// The hashes of the entities that a mapping of Xcode maps; `nil` for other files, and where it maps none.
  private func mappedHashes(
    _ side: MappingFile.Side,
    _ own: [String: VersionHash]
  ) -> [String: VersionHash]? {
    guard let file = try? file(), file.xcodePath != nil, file.infer == .none else { return nil }
    let mapped = file.mappedEntities(of: side)
    let hashes = own.filter { mapped.contains($0.key) }
    return mapped.isEmpty || hashes.count < mapped.count ? nil : hashes
  }

  private static func unmapped(
    _ mapped: [String: VersionHash],
    _ hashes: [String: VersionHash]
  ) -> Int? {
    mapped.allSatisfy { hashes[$0.key] == $0.value } ? hashes.count - mapped.count : nil
  }
}
