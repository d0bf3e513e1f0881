internal import BulkCoding
internal import BulkModel

/// Makes entity mappings from a file and two models, and records every contradiction.
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

  /// The entity mappings of the file, without their properties.
  mutating func items() -> [MappingItem] {
    var items: [MappingItem] = []
    for draft in file.drafts { items.append(item(draft)) }
    refuseRepeatedNames(items)
    refuseDifferentKept(items)
    checkHashes(items)
    return items
  }
}
