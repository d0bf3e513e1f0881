internal import BulkModel
package import BulkStore

/// All that is done to make a store, in its order.
///
/// Passes and the needs of memory read it, and a run walks it; a checkpoint is a position in it with the
/// state of the run. Whoever needs it derives it again from models, mapping and store, so nothing that a file says is
/// ever done.
package struct WorkList: Sendable {
  package struct Entry: Sendable {
    package let item: WorkItem
    /// The number of the pass, from 1; `nil` for what comes after all passes, or in none.
    package let pass: Int?
    /// Whether all rows of objects are there before it.
    package let followsRows: Bool
  }

  package private(set) var entries: [Entry] = []

  package init(changing work: StepWork, by changes: StoreChanges) {
    add([.copy] + changes.statements.map { .statement($0) })
    add(changes.tables.filter { !$0.values.isEmpty }.map { .update($0) })
    let beside = work.unmanagedTables.history + work.unmanagedTables.tables
    if !beside.isEmpty { add([.ancillary]) }
    complete(work, indexes: changes.newIndexes, isCopied: true)
  }

  /// How a new file becomes the destination, pass by pass.
  ///
  /// Objects are made in the pass of their entity, or later: those of one table in the order of the mapping model, on
  /// which their keys depend, and what they share. What connects objects of several passes, as their
  /// relationships, is written in the last of these (``PassEnds``), from association tables; keys that rows find
  /// while they are written are only counted there.
  package init(filling work: StepWork, in passes: [PassContents]) {
    let ends = PassEnds(passes, in: work.destination.model, hasPolicies: work.hasPolicies)
    let creations = ends.passes(making: work.instances.creations)
    add([.tables])
    if work.hasPoliciesWithoutSource { add([.objectsOfNothing], pass: 0) }
    var kept = work.keptRows
    for (pass, contents) in passes.enumerated() {
      // Several passes may have entities of a table.
      let tables = contents.tables(of: work)
      add(kept.filter { tables.contains($0.destination) }.map { .rows($0) }, pass: pass)
      kept.removeAll { tables.contains($0.destination) }
      add(creations.filter { $0.pass == pass }.map { .objects($0.creation) }, pass: pass)
      let links = work.instances.links.filter {
        $0.rowNumber == nil && ends.pass(setting: $0.form.first) == pass
      }
      add(links.map { .links($0) }, pass: pass)
      let related = work.instances.creations.filter {
        $0.mapping.hasPolicy && ends.lastPass(of: $0.mapping.destination.name) == pass
      }
      add(related.map { .relations($0) }, pass: pass)
      let joins = work.destination.joinTables.filter {
        ends.pass(setting: [$0.owner.entity, $0.inverse.entity]) == pass
      }.map(\.name)
      add(
        work.transfers.joinRows.filter { joins.contains($0.destination) }.map { .pairs($0) },
        pass: pass
      )
      add([.endOfPass], pass: pass)
    }
    complete(work, indexes: work.indexStyle.indexes, isCopied: false)
  }

  private mutating func complete(_ work: StepWork, indexes: [SchemaIndex], isCopied: Bool) {
    var items = indexes.map { WorkItem.index($0) }
    items += work.instances.checks.map { .reference($0) }
    items += work.transfers.orderings.map { .positions($0) }
    items += work.destination.derivedAttributes.map { .derived($0) }
    items += [.validation, .repair] + work.definition.parts(ofCopy: isCopied).map { .part($0) }
    entries += items.map { Entry(item: $0, pass: nil, followsRows: true) }
  }

  private mutating func add(_ items: [WorkItem], pass: Int? = nil) {
    entries += items.map { Entry(item: $0, pass: pass.map { $0 + 1 }, followsRows: false) }
  }
}

extension WorkList {
  var itemsByPass: [Int?: [WorkItem]] {
    Dictionary(grouping: entries, by: \.pass).mapValues { $0.map(\.item) }
  }

  /// In the order in which they come; policies insert more.
  func fills(of work: StepWork, streaming streamed: Set<String>) -> [RowFill] {
    entries.compactMap { $0.item.fill(of: work, streaming: streamed) }
  }
}

extension [WorkItem] {
  package var creations: [InstanceCreation] {
    compactMap(\.creation)
  }

  package var links: [LinkedRelationship] {
    compactMap { if case .links(let link) = $0 { link } else { nil } }
  }

  package var entityRows: [RowTransfer] {
    compactMap { if case .rows(let transfer) = $0 { transfer } else { nil } }
      + creations.map(\.transfer)
  }

  var joinRows: [RowTransfer] {
    compactMap { if case .pairs(let transfer) = $0 { transfer } else { nil } }
  }
}
