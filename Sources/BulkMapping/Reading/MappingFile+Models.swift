public import BulkModel
internal import Foundation

extension MappingFile {
  /// A model of a migration, by its side.
  public enum Side: String, Hashable, Sendable {
    /// The model that objects come from.
    case source
    /// The model that they go to.
    case destination
  }

  /// How many folders above the file are searched for a model.
  private static let ancestorLimit = 8
  /// How many folders beside are searched for a model.
  private static let siblingLimit = 200

  /// Whether Xcode's file holds a copy of a model.
  public func hasCopy(of side: Side) -> Bool { recorded(side)?.copy != nil }

  /// The copy of a model that Xcode's file holds, from when the mapping was last saved.
  ///
  /// - Throws: ``MappingError`` if there is none, or it cannot be read.
  public func copy(of side: Side) throws(MappingError) -> ManagedObjectModel {
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

  /// Where a model lies that Xcode recorded, if it is still to be found.
  ///
  /// The recorded path is relative to a project's folder, or absolute without its first slash. It is
  /// looked for from the folder of the mapping upwards; after that, its last two components, also in
  /// folders beside (mapping-model-format.md 4). Of several models the one that equals the copy is
  /// taken; one beside is taken only then.
  public func recordedModelPath(of side: Side) -> String? {
    guard let xcodePath, let recorded = recorded(side)?.path, !recorded.utf8.contains(0) else {
      return nil
    }
    let folders = Self.ancestors(of: URL(filePath: xcodePath).standardizedFileURL)
    let parts = recorded.split(separator: "/")
    guard !parts.isEmpty, !parts.contains("..") else { return nil }
    let tail = parts.suffix(2).joined(separator: "/")
    let whole = parts.joined(separator: "/")
    let near =
      folders.map { $0.appending(path: whole) } + [URL(filePath: "/\(whole)")]
      + folders.map { $0.appending(path: tail) }
    let found = near.map(\.path).filter { FileManager.default.fileExists(atPath: $0) }
    guard let copy = try? copy(of: side) else { return found.first }
    let hashes = copy.entityVersionHashesByName
    let same = (found + Self.besides(folders, tail)).first { path in
      (try? ManagedObjectModel(contentsOf: path))?.entityVersionHashesByName == hashes
    }
    return same ?? found.first
  }

  /// The warnings about copies that are not the models that are used.
  func staleCopies(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> [String] {
    [staleCopy(of: .source, besides: source), staleCopy(of: .destination, besides: destination)]
      .compactMap(\.self)
  }

  /// What the copy of a model and the model itself say of each entity in which they differ, as a
  /// sentence; `nil` where there is no copy, or it equals the model.
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

  /// The entities that differ between a copy and a model, in code-unit order, with both readings.
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

  /// As many digits of a hash as tell it from others.
  private static func short(_ hash: VersionHash) -> String { "\(hash.description.prefix(12))…" }

  private func recorded(_ side: Side) -> XcodeMapping.RecordedModel? {
    side == .source ? xcode?.source : xcode?.destination
  }

  /// The folders above a file, the nearest first.
  private static func ancestors(of file: URL) -> [URL] {
    var result: [URL] = []
    var folder = file
    while folder.path != "/", result.count < ancestorLimit {
      folder = folder.deletingLastPathComponent()
      result.append(folder)
    }
    return result
  }

  /// The paths in folders that lie in the nearest ones.
  private static func besides(_ folders: [URL], _ tail: String) -> [String] {
    folders.prefix(3).flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.sortedByCodeUnit().prefix(siblingLimit)
        .map { folder.appending(path: $0).appending(path: tail).path }
        .filter { FileManager.default.fileExists(atPath: $0) }
    }
  }
}
