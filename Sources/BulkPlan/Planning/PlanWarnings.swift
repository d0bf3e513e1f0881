internal import BulkMapping
internal import BulkModel
internal import BulkStore

struct PlanWarnings {
  let work: MigrationWork
  let counts: RowCounts

  /// The warnings, a sentence each; refuses a migration that would make a wrong store.
  func warnings(_ missing: [MissingExternalFiles]) throws -> [String] {
    let values = InferredValues(work: work, counts: counts)
    let links = try InferredLinks(work, counts)
    let refusals =
      underivable() + objectsOfAbstractEntities() + (try externalValues()) + computedColumns()
      + (try values.missing()) + links.refusals
    guard refusals.isEmpty else { throw PlanError.badRows(refusals) }
    return differences() + (try values.misfits()) + stale() + removed() + mirroring()
      + leftBehind() + (try narrowed())
      + (try correctedEntityNumbers())
      + missing.map(Self.warning)
      + (try UniquenessWarnings(work: work, counts: counts).warnings()) + links.warnings
      + work.uncheckedRules + work.instances.warnings + risks() + renumbered()
  }

  /// The expressions that may fail, as many as there are, in one sentence.
  private func risks() -> [String] {
    let all = work.instances.risks
    guard !all.isEmpty else { return [] }
    let subject = all.count == 1 ? "1 expression" : "\(all.count) expressions"
    return [
      "\(subject) may fail for some rows, which preflight counts: "
        + all.prefix(Self.shown).joined(separator: "; ") + (all.count > Self.shown ? "; …" : "")
    ]
  }

  private static let shown = 3

  /// Apps keep URIs of objects, which have their keys.
  private func renumbered() -> [String] {
    let mappings = work.instances.creations.map(\.mapping).filter {
      $0.source.name == $0.destination.name && !($0.derivesKeys && $0.keyOffset == 0)
    }
    guard work.singleSteps.last?.takesNewIdentifier != true else {
      return [
        "the store gets a new identifier: URIs of objects that are kept elsewhere lead to none"
      ]
    }
    let names = Set(mappings.map(\.destination.name)).sortedByCodeUnit()
    return names.isEmpty
      ? []
      : [
        "objects of \(names.joined(separator: ", ")) get new keys: URIs of them that are kept elsewhere lead "
          + "to other objects or to none"
      ]
  }

  /// Generated columns of a source table are computed again for every copied row.
  private func computedColumns() -> [String] {
    (work.unmanagedTables.tables + work.unmanagedTables.history).compactMap { table in
      guard table.hasHiddenColumns else { return nil }
      return ForeignObjectTrial()?.refusedFunction(of: table).map {
        "table \(table.name), which no model explains, computes a column by \($0)(), which may take "
          + "any time and memory; drop the table or the column"
      }
    }
  }

  /// Values in external files cannot move to columns that cannot refer to files.
  private func externalValues() throws(StoreError) -> [String] {
    var reasons: [String] = []
    for external in work.externalColumns {
      let (table, column) = (external.table, external.column)
      let count = try work.store.externalValues(in: table, column: column)
      guard count > 0 else { continue }
      reasons.append(
        "\(count) \(count == 1 ? "value" : "values") of \(table).\(column) "
          + "\(count == 1 ? "lies" : "lie") in files beside the store, but the "
          + "destination's attribute does not allow external storage; keep it allowed"
      )
    }
    return reasons
  }

  private static func warning(_ missing: MissingExternalFiles) -> String {
    let (column, count) = ("\(missing.column.table).\(missing.column.name)", missing.count)
    let rest = count - Int64(missing.names.count)
    return
      (count == 1
      ? "1 value of \(column) lies in a file that is"
      : "\(count) values of \(column) lie in files that are")
      + " not beside the store: "
      + missing.names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private func objectsOfAbstractEntities() -> [String] {
    work.successions.flatMap { succession in
      succession.steps.compactMap { step -> String? in
        guard
          let name = step.mapping.destinationEntityName,
          let entity = step.step.destination.entity(named: name), entity.isAbstract,
          let source = succession.source,
          let rows = counts.byEntity[work.layout.schema.numbering.number(of: source)], rows > 0
        else { return nil }
        return "\(rows) objects of \(source) would become objects of \(name), which is abstract; "
          + "write a mapping model that says what they become"
      }
    }
  }

  private func stale() -> [String] {
    work.layout.staleNames.sorted { $0.key < $1.key }.map { number, name in
      "Z_PRIMARYKEY still calls entity \(number) \(name), from before a renaming; "
        + "the destination has the model's name"
    }
  }

  private func removed() -> [String] {
    work.successions.compactMap { succession in
      guard
        succession.destination == nil, let name = succession.source,
        let rows = counts.byEntity[work.layout.schema.numbering.number(of: name)], rows > 0
      else { return nil }
      return "entity \(name) is removed with \(rows) \(rows == 1 ? "object" : "objects")"
    }
  }

  /// The outcome of the records of a store that is mirrored with CloudKit (formats/migration.md 1.6, 6).
  private func mirroring() -> [String] {
    guard work.isMirrored else { return [] }
    return [
      "the store is mirrored with CloudKit: "
        + (work.made == nil
          ? "its records follow the numbers of their entities"
          : "objects are created again, so its tables of records are left behind, and the next start fetches all zones")
    ]
  }

  private func leftBehind() -> [String] {
    let tables = work.unmanagedTables.tablesLeftBehind
    return tables.filter { !MirroringTables.contains($0.name) }.map {
      "table \($0.name), which no model explains, is left behind: the destination's model needs its name"
    }
      + work.unmanagedTables.columnsLeftBehind.map {
        "\($0), which no model explains, is left behind: its table is gone or needs the name"
      }
      + work.unmanagedObjects.reportedLeft.map {
        "\($0.object.kind.rawValue) \($0.object.name), which no model explains, is left behind: \($0.reason)"
      }
  }

  private func underivable() -> [String] {
    work.destination.underivable.map {
      "Core Data cannot derive \($0) (error 134097); change its derivation"
    }
  }

  /// Changes of inferred steps that Core Data refuses, or makes otherwise with these rows.
  private func differences() -> [String] {
    work.singleSteps.indices.flatMap { index in
      work.singleSteps[index].differences(
        from: work.successions.compactMap { succession in
          let rows =
            succession.source.map { work.layout.schema.numbering.number(of: $0) }
            .flatMap { counts.byEntity[$0] } ?? 0
          guard rows > 0, succession.steps.indices.contains(index) else { return nil }
          return succession.steps[index].mapping.sourceEntityName
        }
      )
    }
  }

  /// Entity numbers that contradict the objects whose keys they accompany.
  private func correctedEntityNumbers() throws(StoreError) -> [String] {
    var result: [String] = []
    for transfer in work.transfers.entityRows {
      var columns: [StoredEntity] = []
      for column in transfer.assignments.flatMap(\.value.storedEntities)
      where !columns.contains(column) {
        columns.append(column)
      }
      let counts = try work.store.unexpectedNumbers(columns, in: transfer.source)
      for (column, count) in zip(columns, counts) where count > 0 {
        let (name, key) = ("\(transfer.source).\(column.column)", column.keyColumn)
        result.append(
          count == 1
            ? "1 value of \(name) is not an entity to which \(key) may lead; it becomes that of the object"
            : "\(count) values of \(name) are not entities to which \(key) may lead; they become those of "
              + "the objects"
        )
      }
    }
    return result
  }

  /// To-many relationships that become to-one and lose all members but the first.
  private func narrowed() throws -> [String] {
    var result: Set<String> = []
    for choice in work.choices {
      let lost = try work.store.partnersLeftOut(by: choice.choice)
      guard lost > 0 else { continue }
      guard !choice.isRefused else {
        result.insert(
          "\(choice.owner) takes one object, but would be given at most \(lost) more; an object that is given several breaks "
            + "a rule, unless the expression takes the first, by [FIRST] or anyObject"
        )
        continue
      }
      result.insert(
        choice.mayBeDropped
          ? "\(choice.owner) keeps the first of several objects that are migrated; at most \(lost) "
            + "\(lost == 1 ? "other is" : "others are") dropped from the relationship"
          : "\(choice.owner) keeps the first of several objects; "
            + "\(lost) \(lost == 1 ? "is" : "are") dropped from the relationship"
      )
    }
    return result.sorted()
  }
}

extension MigrationStep {
  /// Changes that Core Data refuses, or makes otherwise with objects of some source entities, a
  /// sentence each.
  func differences(from sources: [String]) -> [String] {
    differences.filter { $0.isRefused || !$0.sources.isDisjoint(with: sources) }
      .map(\.description)
  }

  /// Warnings of a step whose source does not exist yet, a sentence each; its expressions are checked.
  func warningsWithoutStore() throws(PlanError) -> [String] {
    guard !isInferred else {
      return copiedTransformables
        + differences(from: mapping.entityMappings.compactMap(\.sourceEntityName))
    }
    let work = try InstanceWork(mapping, from: StoreSchema(source), to: StoreSchema(destination))
    return work.warnings + work.risks.map { "may fail for some rows: \($0)" }
  }

  /// Warnings of bytes that inference copies although another transformer is to read them, a sentence for each two
  /// transformers.
  var copiedTransformables: [String] {
    let copied = isInferred ? mapping.copiedTransformables(between: models) : []
    let groups = Dictionary(grouping: copied) { [$0.reader, $0.writer] }
    return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { names, copied in
      let attributes = copied.map(\.attribute).joined(separator: ", ")
      return
        "transformer \(names[0]) wrote the bytes of \(attributes), and \(names[1]) is to read them; they are "
        + "copied as they are, as Core Data does without a mapping model"
    }
  }
}
