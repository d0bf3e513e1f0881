internal import BulkCoding
internal import BulkPlatform

extension MappingFile {
  /// Reads the mapping files that together are one mapping.
  ///
  /// - Parameter paths: The files, in the order in which they count; at least one.
  /// - Returns: The only file, or one with all of them as ``parts``.
  /// - Throws: ``MappingError`` if one of them cannot be read, or is not a mapping file; every error of every
  ///   file is included.
  package static func read(_ paths: [String]) throws(MappingError) -> MappingFile {
    guard paths.count > 1 else { return try read(paths.first ?? "") }
    return try joining(try read(all: paths))
  }

  /// The mapping that several files are together.
  ///
  /// - Parameter files: The files, in the order in which they count; at least one.
  /// - Returns: The only file, or one with all of them as ``parts``.
  /// - Throws: ``MappingError/invalid(path:faults:)`` if they are not about one migration of one pair of versions.
  package static func joining(_ files: [MappingFile]) throws(MappingError) -> MappingFile {
    guard files.count > 1 else { return files[0] }
    var result = MappingFile(path: files[0].path)
    result.join(files.flatMap(\.ownParts), inferring: nil)
    result.paths = files.flatMap(\.paths)
    result.takePlaces(files)
    let faults = contradictions(files)
    guard faults.isEmpty else { throw .invalid(path: result.path, faults: faults) }
    return result
  }

  /// The files that it adds where it is joined with others.
  private var ownParts: [MappingFile] {
    guard !parts.isEmpty else { return [self] }
    // The passes and expectations of a file that lists others stay with it, for their places.
    var bare = self
    (bare.parts, bare.drafts, bare.xcode, bare.infer) = ([], [], nil, .unmentioned)
    return passes.isEmpty && expectations.isEmpty ? parts : parts + [bare]
  }

  /// Takes over the store or model of the first file that names one.
  private mutating func takePlaces(_ files: [MappingFile]) {
    for side in [\MappingFile.source, \MappingFile.destination] {
      for place in files.map({ $0[keyPath: side] }) {
        self[keyPath: side].store = self[keyPath: side].store ?? place.store
        self[keyPath: side].model = self[keyPath: side].model ?? place.model
      }
    }
  }

  /// Takes over the entity mappings of several files.
  mutating func join(_ files: [MappingFile], inferring infer: Inference?) {
    parts = files
    drafts = files.flatMap(\.drafts)
    self.infer =
      infer ?? (files.allSatisfy { $0.infer == .unmentioned } ? .unmentioned : Inference.none)
    // Models that the files were made for are found as for one of them.
    if let recording = files.first(where: { $0.xcode != nil }) {
      var recorded = XcodeMapping()
      recorded.source = recording.xcode?.source ?? .init()
      recorded.destination = recording.xcode?.destination ?? .init()
      (xcode, xcodePath) = (recorded, recording.xcodePath)
    }
  }

  /// Reads the files that the file lists.
  mutating func readParts(_ content: MappingJSON) throws(MappingError) {
    var files: [MappingFile] = []
    var faults: [MappingFault] = []
    if isPart, let first = content.parts.first {
      // It could list itself, and would be read forever.
      let reason = "another file lists this one, so it cannot list others; list them there"
      draftFaults.append(DraftFault(first.place, "mappings", reason))
    }
    for part in isPart ? [] : content.parts {
      guard let path = resolved(part.text) else { continue }
      do throws(MappingError) {
        files.append(try Self.read(path, isPart: true))
      } catch {
        switch error {
        case .unreadable(_, let reason):
          draftFaults.append(
            DraftFault(part.place, "mappings", "\(part.text) cannot be read: \(reason)")
          )
        case .invalid(let path, let found): faults += found.map { $0.placed(in: path) }
        }
      }
    }
    isBroken = isBroken || !draftFaults.isEmpty
    faults += Self.contradictions(files, besides: self)
    guard faults.isEmpty, !isBroken else {
      throw .invalid(path: path, faults: placed(draftFaults) + faults)
    }
    join(files, inferring: content.infer)
    takePlaces(files)
  }

  /// The contradictions between the files of one migration.
  ///
  /// An entry of the file that lists them overrides theirs.
  private static func contradictions(
    _ files: [MappingFile],
    besides listing: MappingFile? = nil
  ) -> [MappingFault] {
    var faults = files.filter { $0.chain != nil }.map { file in
      MappingFault(
        subject: "chain",
        reason: "a route over several versions cannot be joined with other mappings",
        in: file.path
      )
    }
    let entries: [(name: String, value: (MappingFile) -> String?)] = [
      ("source.store", { $0.source.store }), ("source.model", { $0.source.model }),
      ("destination.store", { $0.destination.store }),
      ("destination.model", { $0.destination.model }),
    ]
    for entry in entries where listing.flatMap(entry.value) == nil {
      let named = files.compactMap { file in entry.value(file).map { (file.path, $0) } }
      for (path, value) in named.dropFirst() where value != named[0].1 {
        let reason = "it is \(value), but \(named[0].0) names \(named[0].1)"
        faults.append(MappingFault(subject: entry.name, reason: reason, in: path))
      }
    }
    return faults
  }

  private static func read(all paths: [String]) throws(MappingError) -> [MappingFile] {
    var files: [MappingFile] = []
    var errors: [MappingError] = []
    for path in paths {
      do throws(MappingError) {
        files.append(try read(path))
      } catch {
        errors.append(error)
      }
    }
    guard let first = errors.first else { return files }
    guard errors.count > 1 else { throw first }
    throw .invalid(path: paths[0], faults: errors.flatMap(\.faults))
  }
}

extension MappingError {
  /// Its errors, each with its file.
  fileprivate var faults: [MappingFault] {
    switch self {
    case .unreadable(let path, let reason):
      [MappingFault(subject: "", reason: "it cannot be read: \(reason)", in: path)]
    case .invalid(let path, let faults): faults.map { $0.placed(in: path) }
    }
  }
}

extension MappingFault {
  /// An error in a file as a whole.
  fileprivate init(subject: String, reason: String, in path: String) {
    self.init(line: nil, column: nil, subject: subject, reason: reason, path: path)
  }

  /// The same error with its file, unless it has one.
  fileprivate func placed(in path: String) -> MappingFault { inFile(self.path ?? path) }

  /// The same error in a file; `nil` where its file is the only one.
  func inFile(_ path: String?) -> MappingFault {
    var result = self
    result.path = path
    return result
  }
}

extension MappingFile {
  mutating func readJSON() throws(MappingError) {
    let content: MappingJSON
    let bytes = try MappingBytes.read(path)
    do throws(JSONError) {
      let document = try JSONDocument(bytes)
      self.document = document
      var reader = MappingJSONReader(document)
      content = reader.mapping()
      take(content, from: &reader)
    } catch {
      let fault = MappingFault(
        line: error.position.line,
        column: error.position.column,
        subject: "",
        reason: "it is not JSON: \(error.reason)"
      )
      throw .invalid(path: path, faults: [fault])
    }
    guard content.parts.isEmpty else { return try readParts(content) }
    guard let xcodePath else { return }
    isBroken = !draftFaults.isEmpty
    guard !isBroken else { return }
    guard passes.isEmpty, expectations.isEmpty else {
      // Errors in the passes and expectations are in this file, all others in the other one.
      return join([try MappingFile.read(xcodePath)], inferring: infer)
    }
    // Any further errors are in the other file.
    document = nil
    takeXcode(try XcodeMapping.read(xcodePath), from: xcodePath)
  }

  private mutating func take(_ mapping: MappingJSON, from reader: inout MappingJSONReader) {
    source = Place(store: resolved(mapping.source.store), model: resolved(mapping.source.model))
    destination = Place(
      store: resolved(mapping.destination.store),
      model: resolved(mapping.destination.model)
    )
    xcodePath = resolved(mapping.xcodePath)
    chain = mapping.chain?.compactMap(resolved)
    infer = mapping.infer ?? (xcodePath == nil ? .unmentioned : .none)
    fillsProperties = infer == .unmentioned
    drafts = mapping.drafts
    passes = mapping.passes
    expectations = mapping.expectations
    draftFaults = reader.faults
    isBroken = reader.isBroken
  }

  func resolved(_ name: String?) -> String? {
    guard let name else { return nil }
    let folder = URL(filePath: path).deletingLastPathComponent()
    return URL(filePath: name, relativeTo: folder).standardizedFileURL.path
  }
}

/// The content of a JSON mapping file, with its paths as written.
struct MappingJSON {
  var source = MappingFile.Place()
  var destination = MappingFile.Place()
  var infer: MappingFile.Inference?
  var xcodePath: String?
  var chain: [String]?
  /// The mapping files that together are the mapping.
  var parts: [PlacedName] = []
  /// The source entities of each pass.
  var passes: [[PlacedName]] = []
  var drafts: [EntityMappingDraft] = []
  /// The expectations of a destination.
  var expectations: [ExpectationDraft] = []
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
