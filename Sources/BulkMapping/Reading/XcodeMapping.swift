/// What a mapping file of Xcode says, source or compiled.
struct XcodeMapping: Sendable {
  /// A model as the mapping has it.
  struct RecordedModel: Hashable, Sendable {
    /// Where the model lay when the mapping was made.
    var path: String?
    /// A copy of the model, archived.
    var copy: [UInt8]?
  }

  /// The entity mappings, in their order.
  var drafts: [EntityMappingDraft] = []
  var source = RecordedModel()
  var destination = RecordedModel()
  var faults: [DraftFault] = []
  /// What is ignored although it is there, a sentence each.
  var warnings: [String] = []

  /// That there is more than a mapping may describe, if there is.
  var limitFault: DraftFault? {
    let count = drafts.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
    guard
      drafts.count > MappingLimits.entityMappings || count > MappingLimits.propertyMappings
    else { return nil }
    return DraftFault(
      .none,
      "",
      "it has more than \(MappingLimits.entityMappings) entity mappings or "
        + "\(MappingLimits.propertyMappings) property mappings"
    )
  }
}
