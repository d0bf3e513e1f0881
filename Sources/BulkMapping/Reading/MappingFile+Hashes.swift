public import BulkModel

extension MappingFile {
  /// The version hashes of the entities for which the file was compiled, by name.
  ///
  /// A `.cdm` has them beside its entity mappings; entities that none of them names are not among
  /// them. Other files have none.
  public func compiledHashes(of side: Side) -> [String: VersionHash] {
    var result: [String: VersionHash] = [:]
    for draft in drafts {
      let name = side == .source ? draft.source?.text : draft.destination?.text
      guard let name, let hash = side == .source ? draft.sourceHash : draft.destinationHash else {
        continue
      }
      result[name] = hash
    }
    return result
  }
}
