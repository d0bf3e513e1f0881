/// Finds what several files say that cannot be true of one migration.
///
/// Xcode lists the whole model in every mapping model, so the removal or the addition of an entity in one file
/// says nothing against an entity mapping in another.
struct PartContradictions {
  private let items: [MappingItem]
  private let files: [MappingFile]

  /// Entity mappings in the order given, and the files that they are in.
  init(_ items: [MappingItem], _ files: [MappingFile]) {
    self.files = files
    var said: Set<String> = []
    let read = Set(items.compactMap { $0.draft.destination == nil ? nil : $0.draft.source?.text })
    let made = Set(items.compactMap { $0.draft.source == nil ? nil : $0.draft.destination?.text })
    self.items = items.filter { item in
      let (source, destination) = (item.draft.source?.text, item.draft.destination?.text)
      switch (source, destination) {
      case (let source?, nil): return !read.contains(source) && said.insert("-\(source)").inserted
      case (nil, let destination?) where item.draft.policy == nil:
        return !made.contains(destination) && said.insert("+\(destination)").inserted
      case (nil, _?), (_?, _?), (nil, nil): return true
      }
    }
  }

  /// The entity mappings that count: without the removals and additions that another file overrides.
  func refused(_ note: (Int, DraftFault) -> Void) -> [MappingItem] {
    refuseNames(note)
    refuseRepeatedObjects(note)
    return items
  }

  private func refuseNames(_ note: (Int, DraftFault) -> Void) {
    var first: [String: MappingItem] = [:]
    for item in items {
      guard let other = first[item.mapping.name] else {
        first[item.mapping.name] = item
        continue
      }
      // The file itself reports those of one file.
      guard other.part != item.part, !makeSameObjects(item, other) else { continue }
      let reason = "\(place(of: other)) has an entity mapping of this name too; give it another one"
      note(
        item.part,
        DraftFault(item.draft.name?.place ?? item.draft.place, item.draft.subject, reason)
      )
    }
  }

  private func refuseRepeatedObjects(_ note: (Int, DraftFault) -> Void) {
    var known: [String: [MappingItem]] = [:]
    for item in items {
      let key = "\(item.draft.source?.text ?? "")\0\(item.draft.destination?.text ?? "")"
      let others = known[key, default: []]
      known[key, default: []].append(item)
      guard let other = others.first(where: { $0.part != item.part && makeSameObjects(item, $0) })
      else { continue }
      let reason =
        "\(place(of: other)) makes objects of \(item.draft.destination?.text ?? "") from the same "
        + "\(item.draft.source?.text ?? "") too; leave one of them out, or give each a filter"
      note(item.part, DraftFault(item.draft.place, item.draft.subject, reason))
    }
  }

  /// Whether two entity mappings certainly make objects of the same entity from the same rows.
  private func makeSameObjects(_ first: MappingItem, _ second: MappingItem) -> Bool {
    guard let source = first.draft.source?.text, let made = first.draft.destination?.text,
      source == second.draft.source?.text, made == second.draft.destination?.text
    else { return false }
    guard let filter = first.draft.filter, let other = second.draft.filter else { return true }
    return filter == other
  }

  /// An entity mapping with its file, line and column.
  private func place(of item: MappingItem) -> String {
    files[item.part].description(of: DraftFault(item.draft.place, "", item.draft.subject))
  }
}
