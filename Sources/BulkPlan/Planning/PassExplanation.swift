internal import BulkLowering
internal import BulkMapping
internal import BulkModel
package import BulkVersions

/// The references that keep the entities of each pass together.
package struct PassExplanation: Encodable {
  /// A pass with its references.
  package struct Pass: Encodable {
    package let number: Int
    package let name: String
    /// The references that tie its entities together.
    package let references: [PassReference]
    /// The references to entities of other passes that are resolved in this one, through association tables.
    package let resolved: [PassReference]
  }

  /// The passes of the plan, or of its first leg.
  package private(set) var passes: [Pass] = []

  private let model: ManagedObjectModel
  /// The mapping model; `nil` where it is inferred, or composed of several.
  private let mapping: MappingModel?

  private enum CodingKeys: CodingKey { case passes }

  /// Reads the models and the mapping of a plan.
  ///
  /// - Throws: ``PlanError`` if one cannot be read.
  package init(_ plan: MigrationPlan) throws(PlanError) {
    let end = plan.route.map { $0.steps[$0.ranges[0].upperBound - 1].destination }
    let destination = try LocatedModel(end ?? plan.destination.model, as: .destination)
    model = destination.model
    let isSingle = plan.route == nil && plan.through == nil && !plan.mapping.files.isEmpty
    mapping =
      isSingle
      ? try StepMapping(
        try plan.mapping.file(),
        from: try LocatedModel(plan.source.model, as: .source),
        to: destination,
        converts: plan.mapping.knownTransformers.converts
      ).model : nil
    let ends = PassEnds(
      plan.passes.map(\.entities.contents),
      in: model,
      hasPolicies: plan.passes.contains { $0.entities.contains { $0.policy != nil } }
    )
    let roots = plan.passes.map { rootNames(of: $0) }
    for (index, pass) in plan.passes.enumerated() {
      let own = references(among: roots[index], of: pass)
      passes.append(
        Pass(
          number: pass.number,
          name: pass.name,
          references: own.map { reference in
            var reference = reference
            reference.parts = parts(of: pass, roots[index], own, without: reference)
            return reference
          },
          resolved: relationships().filter { reference in
            reference.roots.count > 1 && ends.pass(setting: reference.roots) == index
              && !roots.contains { pass in reference.roots.allSatisfy(pass.contains) }
          }
        )
      )
    }
  }

  private func rootNames(of pass: MigrationPlan.Pass) -> [String] {
    let entities = pass.entities.filter { $0.change != .removed }
      .compactMap { model.entity(named: $0.entity) }
    return entities.map { model.root(of: $0).name }.reduce(into: []) { roots, root in
      if !roots.contains(root) { roots.append(root) }
    }
  }

  private func references(
    among roots: [String],
    of pass: MigrationPlan.Pass
  ) -> [PassReference] {
    roots.flatMap(withinTable)
      + relationships().filter { reference in
        reference.roots.count > 1 && reference.roots.allSatisfy(roots.contains)
      } + expressions(of: pass, roots)
  }

  private func withinTable(of root: String) -> [PassReference] {
    guard let entity = model.entity(named: root) else { return [] }
    let hierarchy = model.hierarchy(from: entity)
    guard hierarchy.count > 1 else { return [] }
    let names = hierarchy.map(\.name).joined(separator: ", ")
    let shared = PassReference(kind: .sharedTable, name: names, roots: [root])
    let unique = hierarchy.flatMap { entity in
      entity.uniquenessConstraints.map { properties in
        PassReference(
          kind: .uniqueness,
          name: "\(entity.name) by \(properties.joined(separator: ", "))",
          roots: [root]
        )
      }
    }
    return [shared] + unique
  }

  /// The relationships between tables, each with its inverse, in the order of the model.
  private func relationships() -> [PassReference] {
    var known: Set<String> = []
    return model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship in
        guard !relationship.isTransient,
          let target = model.entity(named: relationship.destinationEntityName)
        else { return nil }
        let name = "\(entity.name).\(relationship.name)"
        let inverse = model.inverse(of: relationship).map {
          "\($0.owner.name).\($0.relationship.name)"
        }
        guard !known.contains(name) else { return nil }
        known.formUnion([name, inverse ?? name])
        let ends = [model.root(of: entity).name, model.root(of: target).name]
        return PassReference(
          kind: .relationship,
          name: inverse.map { "\(name) ↔ \($0)" } ?? "\(name) → \(target.name)",
          roots: ends[0] == ends[1] ? [ends[0]] : ends
        )
      }
    }
  }

  /// The value expressions that refer to objects of another entity mapping by its name.
  private func expressions(of pass: MigrationPlan.Pass, _ roots: [String]) -> [PassReference] {
    let names = Set(pass.entities.compactMap(\.mapping))
    return (mapping?.entityMappings ?? []).filter { names.contains($0.name) }.flatMap { own in
      own.relationshipMappings.compactMap { property in
        guard case .instances(_, let name?)? = own.relationship(property.name), name != own.name,
          let ends = ends(of: own, mapping?.entityMappings.first { $0.name == name }),
          ends[0] != ends[1], ends.allSatisfy(roots.contains)
        else { return nil }
        return PassReference(
          kind: .expression,
          name: "\(own.name), relationship \(property.name), asks for objects made by \(name)",
          roots: ends
        )
      }
    }
  }

  private func ends(of first: EntityMapping, _ second: EntityMapping?) -> [String]? {
    let roots = [first, second].compactMap { mapping in
      mapping?.destinationEntityName.flatMap { model.entity(named: $0) }
        .map { model.root(of: $0).name }
    }
    return roots.count == 2 ? roots : nil
  }

  /// The source entities on either side of a reference that alone holds a pass together.
  private func parts(
    of pass: MigrationPlan.Pass,
    _ roots: [String],
    _ references: [PassReference],
    without one: PassReference
  ) -> [[String]]? {
    guard one.kind == .relationship else { return nil }
    var groups = EntityGroups(model, among: [])
    for other in references where other != one && other.kind == .relationship {
      groups.unite(other.roots[0], other.roots[1])
    }
    guard groups.leader(of: one.roots[0]) != groups.leader(of: one.roots[1]) else { return nil }
    return groups.groups(of: roots).map { part in
      pass.entities.filter { change in
        change.change != .removed && change.change != .added
          && model.entity(named: change.entity).map { part.contains(model.root(of: $0).name) }
            ?? false
      }.map { $0.from ?? $0.entity }
    }.map { $0.isEmpty ? ["new entities"] : $0 }
  }
}

/// A reference between entities that are migrated in one pass because of it.
package struct PassReference: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Hashable, Sendable {
    /// Entities of one hierarchy, whose objects share a table.
    case sharedTable
    /// A uniqueness constraint over the objects of a table.
    case uniqueness
    /// A relationship with its inverse.
    case relationship
    /// A value expression that refers to the objects of another entity mapping.
    case expression
  }

  /// The kind of the reference.
  package let kind: Kind
  /// The reference, such as `Book.authors ↔ Author.books`.
  package let name: String
  /// The root entities whose tables it connects; one for a reference within a table.
  package let roots: [String]
  /// The source entities of the parts into which the pass would fall if this reference alone were resolved
  /// afterwards through association tables; absent where it would stay together.
  package var parts: [[String]]?
}
