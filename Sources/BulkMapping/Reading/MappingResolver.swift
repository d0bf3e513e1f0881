internal import BulkCoding
internal import BulkModel

/// Makes a mapping model from a file and two models, and records every contradiction.
struct MappingResolver {
  let file: MappingFile
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  private(set) var faults: [DraftFault] = []
  /// Warnings, a sentence each.
  private(set) var warnings: [String] = []

  init(_ file: MappingFile, from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.file = file
    self.source = source
    self.destination = destination
  }

  mutating func note(_ fault: DraftFault) { faults.append(fault) }

  mutating func warn(_ reason: String) { warnings.append(reason) }

  /// A suggestion after an unknown name: the nearest known one, as a question.
  static func hint(_ name: String, among names: [String]) -> String {
    NearestName.of(name, among: names).map { "; did you mean \($0)?" } ?? ""
  }

  /// The mapping model, which is valid only if there are no errors.
  mutating func mappingModel() -> MappingModel {
    var items: [MappingItem] = []
    for draft in file.drafts { items.append(item(draft)) }
    refuseRepeatedNames(items)
    refuseDifferentKept(items)
    checkHashes(items)
    let inferred = file.infer == .unmentioned ? unmentioned(items) : []
    let heads = items.map(\.mapping) + inferred
    let standard = StandardValues(from: source, heads)
    var result = MappingModel()
    for var item in items {
      if item.isSound { fill(&item, standard) }
      result.entityMappings.append(item.mapping)
    }
    let values = InferredMappings(from: source, to: destination, standard)
    result.entityMappings += inferred.map(values.filled)
    result.entityMappings += removed(heads)
    warnOfDoubles(result)
    return result
  }
}
