package import BulkModel
internal import BulkPlatform

extension MappingFile {
  /// One of the two models of a migration.
  package enum Side: String, Hashable, Sendable {
    case source
    case destination
  }

  /// Whether Xcode's file contains a copy of a model.
  package func hasCopy(of side: Side) -> Bool { recorded(side)?.copy != nil }

  /// The copy of a model in Xcode's file, from when the mapping was last saved.
  ///
  /// - Throws: ``MappingError`` if there is none, or it cannot be read.
  package func copy(of side: Side) throws(MappingError) -> ManagedObjectModel {
    guard let bytes = recorded(side)?.copy else {
      throw .unreadable(path: path, reason: "it holds no copy of the \(side.rawValue) model")
    }
    do throws(ModelError) {
      return try ManagedObjectModel.model(archive: bytes, path: "the copy")
    } catch {
      throw .unreadable(
        path: xcodePath ?? path,
        reason: "its copy of the \(side.rawValue) model: \(error)"
      )
    }
  }

  /// The path of a model that Xcode recorded, if it can still be found.
  ///
  /// The recorded path is relative to a project's folder, or absolute without its leading slash,
  /// and goes stale when folders are renamed (formats/mapping-models.md 5). As much of its end as
  /// possible, but at least two of several components, is searched in the mapping's package, in its
  /// folder and in the named places only, because other folders were not requested. Of several
  /// models, the one that equals the copy is preferred.
  ///
  /// - Parameters:
  ///   - side: Which model.
  ///   - places: Folders and packages of models that are named.
  /// - Returns: The path; `nil` where there is none.
  package func recordedModelPath(of side: Side, among places: [String] = []) -> String? {
    guard let xcodePath, let recorded = recorded(side)?.path, !recorded.utf8.contains(0) else {
      return nil
    }
    let parts = recorded.split(separator: "/")
    guard !parts.isEmpty, !parts.contains("..") else { return nil }
    let ends = (0...max(parts.count - 2, 0)).map { parts.dropFirst($0).joined(separator: "/") }
    let package = parts.dropLast().last.map(String.init)
    let named = places.map { URL(filePath: $0).standardizedFileURL }.map {
      // In place of the package itself, the folder in which it lies.
      $0.lastPathComponent == package ? $0.deletingLastPathComponent() : $0
    }
    let found = (Self.folders(of: xcodePath) + named)
      .flatMap { folder in ends.map { folder.appending(path: $0).path } }
      .filter { FileManager.default.fileExists(atPath: $0) }
    guard let copy = try? copy(of: side) else { return found.first }
    let hashes = copy.entityVersionHashesByName
    let same = found.first { path in
      (try? ManagedObjectModel(contentsOf: path))?.entityVersionHashesByName == hashes
    }
    return same ?? found.first
  }

  /// The package of a mapping, and the folder in which it lies.
  private static func folders(of mapping: String) -> [URL] {
    let file = URL(filePath: mapping).standardizedFileURL
    let above = file.deletingLastPathComponent()
    return file.lastPathComponent == "xcmapping.xml"
      ? [above, above.deletingLastPathComponent()] : [file, above]
  }

  /// Warnings about copies that differ from the models in use.
  func staleCopies(_ models: ModelPair) -> [String] {
    [
      staleCopy(of: .source, besides: models.source),
      staleCopy(of: .destination, besides: models.destination),
    ].compactMap(\.self)
  }

  /// The differences between the copy of a model and the model, entity by entity, as a sentence; `nil` if
  /// there is no copy, or it equals the model.
  package func staleCopy(of side: Side, besides model: ManagedObjectModel) -> String? {
    guard hasCopy(of: side) else { return nil }
    do throws(MappingError) {
      let differences = Self.differences(try copy(of: side), model)
      guard !differences.isEmpty else { return nil }
      return "the \(side.rawValue) model has changed since the mapping was saved: "
        + differences.joined(separator: ", ")
    } catch {
      return "\(error)"
    }
  }

  /// The entities that differ between a copy and a model, in code-unit order, with both hashes.
  private static func differences(
    _ copy: ManagedObjectModel,
    _ model: ManagedObjectModel
  ) -> [String] {
    let (one, other) = (copy.entityVersionHashesByName, model.entityVersionHashesByName)
    let names = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
    return names.sortedByCodeUnit().map { name in
      switch (one[name], other[name]) {
      case (let before?, let now?):
        "\(name) has the version hash \(short(before)) in the copy and \(short(now)) in the model"
      case (_?, nil): "\(name) is only in the copy"
      case (nil, _): "\(name) is only in the model"
      }
    }
  }

  /// Enough digits of a hash to distinguish it from others.
  private static func short(_ hash: VersionHash) -> String { "\(hash.description.prefix(12))…" }

  private func recorded(_ side: Side) -> XcodeMapping.RecordedModel? {
    side == .source ? xcode?.source : xcode?.destination
  }
}
