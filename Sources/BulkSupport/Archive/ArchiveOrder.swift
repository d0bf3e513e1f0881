extension PropertyList {
  /// A keyed archive with its objects in the order in which NSKeyedArchiver meets them from the root: an object, then
  /// the values of its keys, then its class.
  ///
  /// Keys that are not listed come after the others, by name. Objects to which no other refers are left out.
  package func inArchiverOrder(of keys: [String]) -> PropertyList {
    guard case .dictionary(var entries) = self, let objects = entries["$objects"]?.array,
      let top = entries["$top"]
    else { return self }
    let ranks = Dictionary(uniqueKeysWithValues: zip(keys, 0...)).merging(["$class": .max]) { $1 }
    var indexes = [0]
    var numbers = [0: 0]
    var rest = top.references(ranks)
    while let index = rest.popLast() {
      guard numbers[index] == nil else { continue }
      numbers[index] = indexes.count
      indexes.append(index)
      rest += objects[index].references(ranks).reversed()
    }
    entries["$objects"] = .array(indexes.map { objects[$0].renumbered(numbers) })
    entries["$top"] = top.renumbered(numbers)
    return .dictionary(entries)
  }

  private func references(_ ranks: [String: Int]) -> [Int] {
    switch self {
    case .uid(let index): return [index]
    case .array(let elements): return elements.flatMap { $0.references(ranks) }
    case .dictionary(let entries):
      let rank = { (key: String) in (ranks[key] ?? ranks.count, key) }
      return entries.sorted { rank($0.key) < rank($1.key) }.flatMap { $0.value.references(ranks) }
    case .boolean, .integer, .unsigned, .real, .date, .data, .string, .null: return []
    }
  }

  private func renumbered(_ numbers: [Int: Int]) -> PropertyList {
    switch self {
    case .uid(let index): .uid(numbers[index] ?? 0)
    case .array(let elements): .array(elements.map { $0.renumbered(numbers) })
    case .dictionary(let entries): .dictionary(entries.mapValues { $0.renumbered(numbers) })
    case .boolean, .integer, .unsigned, .real, .date, .data, .string, .null: self
    }
  }
}
