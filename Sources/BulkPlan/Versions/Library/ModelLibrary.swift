internal import BulkMapping
internal import BulkModel
internal import BulkStore
internal import BulkSupport

/// All models and mappings found in some locations.
///
/// Files are read at first use and kept, so one library serves many stores.
final class ModelLibrary {
  package let lines: [VersionLine]
  package let mappings: [LibraryMapping]
  /// Unreadable and skipped items, a sentence each.
  package let notes: [String]
  /// The versions to which a route may lead: of ``lines``, or of their parts in a configuration.
  let destinationLines: [VersionLine]
  private let configuration: String?
  let roots: [String]
  private let others: [String]
  private lazy var otherStores = others.filter(ModelLocator.isDatabase).compactMap { path in
    (try? PersistentStore(path: path)).map { (path: path, hashes: $0.metadata.versionHashes) }
  }

  /// Searches files and folders with models, where mappings are used too, and with mappings, but for those to ignore.
  package init(
    models: [String],
    mappings: [String],
    ignoring ignored: [String] = [],
    configuration: String? = nil
  ) throws(PlanError) {
    let found = try LibrarySearch(models)
    let alsoFound = try LibrarySearch(mappings)
    roots = (models + mappings).map(FilePath.absolute)
    var notes = found.notes + alsoFound.notes
    var lines: [VersionLine] = []
    var loose = found.models
    for path in Self.once(found.packages) {
      do throws(PlanError) {
        lines.append(try VersionLine(package: path))
      } catch {
        notes.append("\(error)")
        loose += Self.looseModels(in: path)
      }
    }
    let folders = Dictionary(grouping: Self.once(loose)) { Self.folder(of: $0) }
    for folder in folders.keys.sortedByCodeUnit() {
      let versions = (folders[folder] ?? []).map { LibraryVersion(path: $0) }
      lines.append(VersionLine(path: folder, versions: versions))
    }
    // A store counts as a version if it is named, or if no model is found.
    let named = Set(models.map(FilePath.absolute))
    let stores = lines.isEmpty ? found.others : found.others.filter { named.contains($0) }
    lines += Self.lines(ofStores: stores)
    self.lines = lines
    self.configuration = configuration
    destinationLines = try Self.lines(lines, in: configuration)
    let left = Set(try ignored.map { path throws(PlanError) in try Self.existing(path) })
    self.mappings = Self.once(found.mappings + alsoFound.mappings).filter { !left.contains($0) }
      .map { LibraryMapping(path: $0) }.filter(\.isMapping)
    self.notes = notes
    others = Self.once(found.others)
  }

  /// The parts of lines in a configuration; the lines themselves where none is requested.
  private static func lines(
    _ lines: [VersionLine],
    in configuration: String?
  ) throws(PlanError) -> [VersionLine] {
    guard let configuration else { return lines }
    let parts = lines.map { $0.restricted(to: configuration) }.filter { !$0.versions.isEmpty }
    guard parts.isEmpty, let first = lines.first else { return parts }
    let known = lines.flatMap(\.versions).flatMap {
      (try? $0.model())?.configurations.keys.map(\.self) ?? []
    }
    throw .badModel(
      .missingConfiguration(configuration, path: first.path, known: Set(known).sortedByCodeUnit())
    )
  }

  private static func existing(_ path: String) throws(PlanError) -> String {
    let path = FilePath.absolute(path)
    guard FileManager.default.fileExists(atPath: path) else {
      throw .badModel(.unreadable(path: path, reason: "the file or folder does not exist"))
    }
    return path
  }

  /// The lines of those files that are stores, one for each folder.
  private static func lines(ofStores paths: [String]) -> [VersionLine] {
    let stores = once(paths).filter(ModelLocator.isDatabase).compactMap {
      try? PersistentStore(path: $0)
    }
    let folders = Dictionary(grouping: stores) { folder(of: $0.path) }
    return folders.keys.sortedByCodeUnit().map { folder in
      VersionLine(folder: folder, stores: folders[folder] ?? [])
    }
  }

  private static func once(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }.sortedByCodeUnit()
  }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  /// The models of a folder whose record of versions is unusable.
  private static func looseModels(in folder: String) -> [String] {
    (FolderListing(folder)?.entries ?? []).map { folder + "/" + $0.name }
      .filter { $0.hasSuffix(".mom") || $0.hasSuffix(".xcdatamodel") }
  }

  /// The version of a store, by its version hashes.
  ///
  /// The search covers the versions of packages and folders, then their configurations, the copies in
  /// mappings of Xcode, other stores, several models merged, and last the store itself.
  package func version(of store: PersistentStore) -> FoundVersion? {
    let hashes = store.metadata.versionHashes
    if configuration != nil, let found = find(hashes, in: destinationLines) { return found }
    return (find(hashes, in: lines) ?? inConfigurations(hashes)).map(leadingToConfiguration)
      ?? inMappings(hashes) ?? inOthers(hashes, except: store.path) ?? merged(hashes)
      ?? inItself(store, hashes)
  }

  private func leadingToConfiguration(_ version: FoundVersion) -> FoundVersion {
    guard configuration != nil else { return version }
    var result = version
    result.lines = version.lines.map { line in
      destinationLines.first { $0.path == line.path } ?? line
    }
    return result
  }

  private func find(_ hashes: [String: VersionHash], in lines: [VersionLine]) -> FoundVersion? {
    lines.lazy.compactMap { Self.find($0.version(with: hashes), in: $0) }.first
  }

  private static func find(_ version: LibraryVersion?, in line: VersionLine) -> FoundVersion? {
    guard let version, let model = try? version.located() else { return nil }
    return FoundVersion(name: version.name, model: model, lines: [line], versions: [version])
  }

  private func inConfigurations(_ hashes: [String: VersionHash]) -> FoundVersion? {
    for line in lines {
      for version in line.inSearchOrder {
        // Reading a model takes longer than ruling it out by its entities.
        guard let whole = version.hashes, hashes.allSatisfy({ whole[$0.key] == $0.value }),
          let model = try? version.model()
        else { continue }
        for name in model.configurations.keys.sortedByCodeUnit()
        where Set(model.configurations[name] ?? []) == Set(hashes.keys) {
          let part = line.restricted(to: name)
          if let found = Self.find(part.version(with: hashes), in: part) { return found }
        }
      }
    }
    return nil
  }

  private func inMappings(_ hashes: [String: VersionHash]) -> FoundVersion? {
    for mapping in mappings {
      for side in [MappingFile.Side.destination, .source] {
        guard case .model(let model, let own) = mapping.end(side), own == hashes else { continue }
        let name = "the \(side.rawValue) of \(URL(fileURLWithPath: mapping.path).lastPathComponent)"
        return FoundVersion(name: name, model: model)
      }
    }
    return nil
  }

  private func inOthers(_ hashes: [String: VersionHash], except path: String) -> FoundVersion? {
    for (other, own) in otherStores where other != path && own == hashes {
      guard let store = try? PersistentStore(path: other),
        let model = try? ModelLocator.cachedModel(of: store), ModelLocator.fits(model.model, store)
      else { continue }
      let name = "the model kept in \(URL(fileURLWithPath: other).lastPathComponent)"
      return FoundVersion(name: name, model: model)
    }
    return nil
  }

  /// Several models whose entities together are the store's, one of each line at most.
  private func merged(_ hashes: [String: VersionHash]) -> FoundVersion? {
    var parts: [(line: VersionLine, version: LibraryVersion)] = []
    var missing = Set(hashes.keys)
    for line in lines {
      let version = line.inSearchOrder.first { version in
        guard let own = version.hashes, !own.isEmpty else { return false }
        return own.allSatisfy { hashes[$0.key] == $0.value } && !missing.isDisjoint(with: own.keys)
      }
      guard let version else { continue }
      parts.append((line, version))
      missing.subtract(version.hashes?.keys.map(\.self) ?? [])
    }
    guard missing.isEmpty, parts.count > 1,
      let model = try? Self.merged(parts.map(\.version))
    else { return nil }
    return FoundVersion(
      name: parts.map(\.version.name).joined(separator: " + "),
      model: model,
      lines: parts.map(\.line),
      versions: parts.map(\.version)
    )
  }

  /// Refuses versions with different entities of the same name.
  package static func merged(_ versions: [LibraryVersion]) throws(PlanError) -> LocatedModel {
    try versions[0].located().merged(with: versions.dropFirst().map(\.path))
  }

  private func inItself(
    _ store: PersistentStore,
    _ hashes: [String: VersionHash]
  ) -> FoundVersion? {
    guard let model = try? ModelLocator.cachedModel(of: store),
      ModelLocator.fits(model.model, store)
    else { return nil }
    return FoundVersion(name: "the model that the store keeps", model: model, isOfOneStore: true)
  }

  /// The locations that were searched, then the packages, models and stores found there, a line each.
  var searched: [String] { roots + lines.map { "  " + $0.location } }

  package func noFittingModel(_ store: PersistentStore) -> PlanError {
    let hashes = store.metadata.versionHashes
    let versions = lines.flatMap(\.versions).compactMap { version in
      version.hashes.map {
        (version.path, ModelCompatibility(storeHashes: hashes, modelHashes: $0).differences)
      }
    }
    return .noFittingModel(
      store,
      searched: searched + unreadable + [copies, keptModel(store)],
      versions
    )
  }

  private var unreadable: [String] {
    (notes + lines.flatMap(\.versions).filter { $0.hashes == nil }.compactMap(\.fault))
      .map { "  " + $0 }
  }

  private var copies: String {
    let count = mappings.count { if case .model = $0.end(.source) { true } else { false } }
    return "the models of \(count) \(count == 1 ? "mapping" : "mappings")"
  }

  private func keptModel(_ store: PersistentStore) -> String {
    do throws(PlanError) {
      return try ModelLocator.cachedModel(of: store) == nil
        ? "the store, which keeps no model of itself"
        : "the store, whose own copy of its model does not fit it"
    } catch {
      return "\(error)"
    }
  }
}
