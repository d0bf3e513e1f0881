internal import BulkSupport

extension MappingFile {
  /// Reads the mapping files that together are one mapping; at least one, in the order in which they count.
  package static func read(_ paths: [String]) throws(MappingError) -> MappingFile {
    var files: [MappingFile] = []
    var failures: [MappingError] = []
    for path in paths {
      do throws(MappingError) {
        files.append(try read(path))
      } catch {
        failures.append(error)
      }
    }
    guard let first = failures.first else { return try joining(files) }
    guard failures.count > 1 else { throw first }
    throw .invalid(failures.flatMap(\.diagnostics))
  }

  /// Reads a mapping file, and keeps the errors in its entity mappings, so that they can be reported together with those
  /// found by comparing it with the models.
  package static func read(_ path: String) throws(MappingError) -> MappingFile {
    try read(path, isListed: false)
  }

  /// The mapping that several files are together; at least one, in the order in which they count.
  package static func joining(_ files: [MappingFile]) throws(MappingError) -> MappingFile {
    guard files.count > 1 else { return files[0] }
    let path = files[0].path
    var result = MappingFile(path, MappingOrigin(path), files.flatMap(\.parts))
    result.paths = files.flatMap(\.paths)
    let errors = result.take(files, inferring: nil)
    guard errors.isEmpty else { throw .invalid(errors) }
    return result
  }

  /// Takes over what several files say of all of the migration, unless this one says it.
  ///
  /// - Returns: The contradictions between the files.
  private mutating func take(_ files: [MappingFile], inferring: Inference?) -> [Diagnostic] {
    infer = inferring ?? (files.allSatisfy { $0.infer == .unmentioned } ? .unmentioned : .none)
    var errors = files.filter { $0.chain != nil }.map { file in
      let reason = "a route over several versions cannot be joined with other mappings"
      return Diagnostic(.error, "chain", reason, in: file.path)
    }
    let entries: [(name: String, path: WritableKeyPath<MappingFile, String?>)] = [
      ("source.store", \.source.store), ("source.model", \.source.model),
      ("destination.store", \.destination.store), ("destination.model", \.destination.model),
    ]
    for entry in entries where self[keyPath: entry.path] == nil {
      let named = files.compactMap { file in file[keyPath: entry.path].map { (file.path, $0) } }
      self[keyPath: entry.path] = named.first?.1
      for (path, value) in named.dropFirst() where value != named[0].1 {
        let reason = "it is \(value), but \(named[0].0) names \(named[0].1)"
        errors.append(Diagnostic(.error, entry.name, reason, in: path))
      }
    }
    return errors
  }

  /// Reads a mapping file, which must not list other files if another one lists it.
  private static func read(_ path: String, isListed: Bool) throws(MappingError) -> MappingFile {
    if XcodeMapping.isXcodePath(path) {
      let part = try XcodeMapping.read(path)
      var file = MappingFile(path, part.origin, [part])
      file.infer = .none
      return file
    }
    let bytes = try MappingBytes.read(path)
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(bytes)
    } catch {
      let reason = "it is not JSON: \(error.reason)"
      throw .invalid([Diagnostic(.error, "", reason, in: path, at: error.position)])
    }
    let content = MappingJSONReader.read(MappingOrigin(path, document), document)
    var file = MappingFile(path, content.part.origin, [content.part])
    try file.take(content, isListed: isListed)
    return file
  }

  private mutating func take(
    _ content: MappingJSON,
    isListed: Bool
  ) throws(MappingError) {
    source = resolved(content.source)
    destination = resolved(content.destination)
    chain = content.chain?.compactMap { resolved($0) }
    infer = content.infer ?? (content.xcodePath == nil ? .unmentioned : .none)
    parts[0].fillsProperties = infer == .unmentioned
    parts[0].isListing = content.xcodePath != nil || !content.listed.isEmpty
    let own = parts[0].passes.isEmpty && parts[0].expectations.isEmpty ? [] : parts
    guard content.listed.isEmpty else {
      return try takeListed(content, own, isListed: isListed)
    }
    let path = resolved(content.xcodePath)
    let errors = inFileOrder(parts[0].errors)
    if content.isBroken || path != nil && !errors.isEmpty { throw .invalid(errors) }
    guard let path else { return }
    let xcode = try XcodeMapping.read(path)
    parts = [xcode] + own
    // Without passes and expectations all further errors are in the other file.
    if own.isEmpty { origin = xcode.origin }
  }

  /// Reads the files that the file lists.
  private mutating func takeListed(
    _ content: MappingJSON,
    _ own: [MappingPart],
    isListed: Bool
  ) throws(MappingError) {
    var files: [MappingFile] = []
    var errors: [Diagnostic] = []
    var ownErrors = parts[0].errors
    if isListed {
      // It could list itself, and would be read forever.
      let reason = "another file lists this one, so it cannot list others; list them there"
      ownErrors.append(content.listed[0].location.diagnostic(.error, "mappings", reason))
    }
    for name in isListed ? [] : content.listed {
      guard let path = resolved(name.text) else { continue }
      do throws(MappingError) {
        files.append(try Self.read(path, isListed: true))
      } catch {
        switch error {
        case .unreadable(_, let reason):
          let reason = "\(name.text) cannot be read: \(reason)"
          ownErrors.append(name.location.diagnostic(.error, "mappings", reason))
        case .invalid(let found): errors += found
        }
      }
    }
    errors = inFileOrder(ownErrors) + errors + take(files, inferring: content.infer)
    guard errors.isEmpty, !content.isBroken else { throw .invalid(errors) }
    parts = files.flatMap(\.parts) + own
  }

  private func resolved(_ endpoint: Endpoint) -> Endpoint {
    Endpoint(store: resolved(endpoint.store), model: resolved(endpoint.model))
  }

  private func resolved(_ name: String?) -> String? {
    guard let name else { return nil }
    let folder = URL(filePath: path).deletingLastPathComponent()
    return URL(filePath: name, relativeTo: folder).standardizedFileURL.path
  }

  /// Results in the order of the files, then of their positions.
  func inFileOrder(_ results: [Diagnostic]) -> [Diagnostic] {
    var ranks = [origin.path: parts.count]
    for (rank, part) in parts.enumerated().reversed() { ranks[part.origin.path] = rank }
    func key(_ result: Diagnostic, _ index: Int) -> (Int, Int, Int, Int) {
      (ranks[result.path ?? ""] ?? parts.count, result.line ?? 0, result.column ?? 0, index)
    }
    return results.enumerated().sorted {
      key($0.element, $0.offset) < key($1.element, $1.offset)
    }.map(\.element)
  }
}

extension MappingError {
  /// Its errors, each with its file.
  fileprivate var diagnostics: [Diagnostic] {
    switch self {
    case .unreadable(let path, let reason):
      [Diagnostic(.error, "", "it cannot be read: \(reason)", in: path)]
    case .invalid(let errors): errors
    }
  }
}

/// The content of a JSON mapping file, with its paths as written.
struct MappingJSON {
  var source = MappingFile.Endpoint()
  var destination = MappingFile.Endpoint()
  var infer: MappingFile.Inference?
  var xcodePath: String?
  var chain: [String]?
  /// The mapping files that together are the mapping.
  var listed: [LocatedName] = []
  var part: MappingPart
  /// Whether the errors leave the paths undefined; other errors are reported together with those of the models.
  var isBroken = false
}

/// Reads the bytes of mapping files.
enum MappingBytes {
  /// The size limit of a mapping file; the largest known one has less than a hundredth of it.
  static let sizeLimit = 128 * 1024 * 1024

  static func read(_ path: String) throws(MappingError) -> [UInt8] {
    do throws(FileReading.Fault) {
      return try FileReading.bytes(ofFile: path, atMost: sizeLimit)
    } catch {
      throw .unreadable(path: path, reason: error.reason(limit: sizeLimit, kind: "mapping"))
    }
  }
}
