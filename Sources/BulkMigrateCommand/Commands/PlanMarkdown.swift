import BulkCoding
import BulkPlan

extension PlanText {
  /// The plan in GitHub's Markdown, for a pull request: what it does to which stores, what is lost, and what changes.
  var markdown: [String] {
    let stores = [plan.source.store, plan.destination.store].map {
      TextTable.escaped($0.split(separator: "/").last.map(String.init) ?? $0)
    }
    let title = "**\(stores[0]) → \(stores[1])**: \(plan.isUpToDate ? "nothing to do" : sum)"
    guard !plan.isUpToDate else { return [title] }
    var lines = [title] + list(plan.warnings)
    if !plan.losses.isEmpty { lines += [""] + lossTable.markdown + list(allowance) }
    for pass in plan.passes where pass.hasWork {
      lines += changes(self.title(of: pass), pass.entities)
    }
    for (number, step) in zip(1..., plan.route?.steps ?? []) {
      if let entities = step.entities { lines += changes("step \(number)", entities) }
    }
    return lines
  }

  private func list(_ texts: [String]) -> [String] {
    let items = texts.filter { !$0.isEmpty }.map { "- \(TextTable.escaped($0))" }
    return items.isEmpty ? [] : [""] + items
  }

  /// The entities that change, as a table, and the others in a line.
  private func changes(_ title: String, _ entities: [MigrationPlan.EntityChange]) -> [String] {
    let copied = entities.filter(isMerelyCopied)
    let changed = entities.filter { !isMerelyCopied($0) }
    return ["", TextTable.escaped(title)]
      + (changed.isEmpty ? [] : [""] + table(of: changed).markdown)
      + (copied.isEmpty ? [] : list([Self.sum(ofCopied: copied)]))
  }
}
