internal import BulkCoding
internal import BulkPlatform

extension MappingFile {
  /// Reads the file as JSON.
  mutating func readJSON() throws(MappingError) {
    let bytes = try MappingBytes.read(path)
    do throws(JSONError) {
      let document = try JSONDocument(bytes)
      self.document = document
      var reader = MappingJSONReader(document)
      take(reader.mapping(), from: &reader)
    } catch {
      let fault = MappingFault(
        line: error.position.line,
        column: error.position.column,
        subject: "",
        reason: "it is not JSON: \(error.reason)"
      )
      throw .invalid(path: path, faults: [fault])
    }
    guard let xcodePath else { return }
    isBroken = !draftFaults.isEmpty
    guard !isBroken else { return }
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
    draftFaults = reader.faults
    isBroken = reader.isBroken
  }

  private func resolved(_ name: String?) -> String? {
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
  var drafts: [EntityMappingDraft] = []
}
