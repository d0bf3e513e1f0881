internal import BulkCoding
internal import BulkPlatform

extension MappingFile {
  /// Reads the file as JSON.
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
  /// What is expected of a destination.
  var expectations: [ExpectationDraft] = []
}

/// Reads the bytes of mapping files.
enum MappingBytes {
  /// The size limit of a mapping file; the largest known one has less than a hundredth of it.
  static let sizeLimit = 128 * 1024 * 1024

  /// The bytes of a file.
  static func read(_ path: String) throws(MappingError) -> [UInt8] {
    do throws(FileReading.Fault) {
      return try FileReading.bytes(ofFile: path, atMost: sizeLimit)
    } catch {
      throw .unreadable(path: path, reason: error.reason(limit: sizeLimit, kind: "mapping"))
    }
  }
}
