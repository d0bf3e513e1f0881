internal import BulkModel

struct RouteDestination {
  let name: String
  /// The line that it belongs to; `nil` where several models are merged.
  let line: VersionLine?
  private let versions: [LibraryVersion]

  /// The version that a request names, or the current one; ambiguous if several match.
  init(
    _ version: FoundVersion,
    _ library: ModelLibrary,
    _ request: PlanRequest
  ) throws(PlanError) {
    if let name = request.version {
      self = try Self.named(name, version, library)
    } else if let path = request.destinationModel {
      self = try Self.version(at: path, library, request.configuration)
    } else {
      try self.init(currentOf: version, library)
    }
  }

  private init(_ line: VersionLine, _ version: LibraryVersion) {
    name = version.name
    self.line = line
    versions = [version]
  }

  private init(currentOf version: FoundVersion, _ library: ModelLibrary) throws(PlanError) {
    var lines = version.lines
    if lines.isEmpty {
      lines = Self.related(version, library)
      guard !lines.isEmpty else { throw Self.unknown(version, library) }
      guard lines.count == 1 else {
        throw Self.ambiguousVersion(
          "the store's version is in none of the models, and may become one of several",
          lines
        )
      }
    }
    var versions: [LibraryVersion] = []
    for line in lines {
      guard let current = line.current else {
        throw Self.ambiguousVersion("\(line.path) marks none of its versions as current", [line])
      }
      versions.append(current)
    }
    try Self.refuseOthers(version, versions, library)
    self.versions = versions
    name = versions.map(\.name).joined(separator: " + ")
    line = lines.count == 1 ? lines[0] : nil
  }

  /// The models that share an entity name with the store.
  private static func related(_ version: FoundVersion, _ library: ModelLibrary) -> [VersionLine] {
    let names = Set(version.model.model.entities.map(\.name))
    return library.destinationLines.filter { line in
      (line.current ?? line.versions.last)?.hashes?.keys.contains(where: names.contains) ?? false
    }
  }

  /// Another package that has the store's version may not lead elsewhere.
  private static func refuseOthers(
    _ version: FoundVersion,
    _ current: [LibraryVersion],
    _ library: ModelLibrary
  ) throws(PlanError) {
    guard let own = version.lines.first, version.lines.count == 1,
      own.versions.first?.configuration == nil
    else { return }
    let hashes = version.versions[0].hashes ?? [:]
    let others = library.lines.filter { line in
      line !== own && line.current?.hashes != current[0].hashes
        && line.version(with: hashes) != nil
    }
    guard others.isEmpty else {
      throw ambiguousVersion("several models have the store's version", [own] + others)
    }
  }

  private static func named(
    _ name: String,
    _ version: FoundVersion,
    _ library: ModelLibrary
  ) throws(PlanError) -> RouteDestination {
    let lines = version.lines.isEmpty ? library.destinationLines : version.lines
    let found = lines.flatMap { line in
      line.versions(named: name).map { (line: line, version: $0) }
    }
    guard let only = found.first else {
      throw ambiguousVersion("there is no version \(name)", lines)
    }
    guard found.count == 1 else {
      let named = Set(found.map(\.line.path)).count
      throw named > 1
        ? ambiguousVersion("several models have a version \(name)", found.map(\.line))
        : .ambiguousVersion(
          "several versions have the identifier \(name)",
          versions: found.map(\.version.fileName)
        )
    }
    return RouteDestination(only.line, only.version)
  }

  private static func version(
    at path: String,
    _ library: ModelLibrary,
    _ configuration: String?
  ) throws(PlanError) -> RouteDestination {
    let located = try ModelLocator.model(named: path).restricted(to: configuration)
    for line in library.destinationLines {
      let found = line.versions.first { FilePath.absolute($0.path) == located.input.path }
      if let found { return RouteDestination(line, found) }
    }
    let whole = try LibraryVersion(at: located.input.path)
    let version = configuration.map { LibraryVersion(whole, configuration: $0) } ?? whole
    let line = VersionLine(path: located.input.path, versions: [version])
    return RouteDestination(line, version)
  }

  /// The error for a store whose version is in none of the models, nor similar to one: no answer of
  /// the user resolves it.
  private static func unknown(_ version: FoundVersion, _ library: ModelLibrary) -> PlanError {
    .noRoute(
      [
        "no model has the store's version, \(version.name), or an entity of it; searched:"
      ] + library.searched.map { "  " + $0 }
    )
  }

  /// The error with the possible answers: the versions of one model, or the paths of several.
  private static func ambiguousVersion(_ fact: String, _ lines: [VersionLine]) -> PlanError {
    guard lines.count == 1, let only = lines.first else {
      let models = lines.map { "\($0.path)\($0.current.map { ", now \($0.name)" } ?? "")" }
      return .ambiguousModel(fact, models: models)
    }
    return .ambiguousVersion(
      fact,
      versions: only.versions.map { version in
        let identifiers = version.isStore ? version.identifiers : []
        return
          ([version.name] + identifiers.map { "(\($0))" }
          + (version.isMarkedCurrent ? ["(current)"] : []))
          .joined(separator: "  ")
      }
    )
  }

  func model() throws(PlanError) -> LocatedModel {
    versions.count == 1 ? try versions[0].located() : try ModelLibrary.merged(versions)
  }
}
