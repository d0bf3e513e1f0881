/// What a mapping file in JSON says, with its paths as they are written.
struct MappingJSON {
  var source = MappingFile.Place()
  var destination = MappingFile.Place()
  var infer: MappingFile.Inference?
  var xcodePath: String?
  var chain: [String]?
  var drafts: [EntityMappingDraft] = []
}
