extension Campaign {
  /// A line for every number, with the path in front, then the failures; `tools/relationships` adds up.
  var report: String {
    var lines: [String] = []
    func note(_ count: Int, _ what: String) { lines.append("\(path)\t\(count)\t\(what)") }
    note(plans, "plans")
    note(tally.objects, "objects")
    note(tally.links, "links")
    note(tally.orderedLinks, "ordered links")
    note(tally.violations, "broken rules")
    note(failures.count, "differing")
    for trait in Trait.allCases { note(traits[trait] ?? 0, "with \(trait.rawValue)") }
    for (reason, count) in refusals.sorted(by: { $0.key < $1.key }) {
      note(count, "refused: \(reason)")
    }
    return (lines + failures.map(\.description)).joined(separator: "\n") + "\n"
  }
}
