package import BulkStore

/// The work of a migration on a store: that of its steps, with the keys that objects get.
///
/// A plan describes it, and a run does it. Both derive it from the same inputs, so the plan file stays short
/// and readable.
@dynamicMemberLookup
package struct MigrationWork {
  package let store: PersistentStore
  package let step: StepWork

  /// Several steps are those of a leg of ``RouteFusion``.
  ///
  /// With `evaluates` values and filters of mapping models are evaluated even where SQL has the same meaning,
  /// as verification requires. Throws ``PlanError`` if the store is corrupt, or if the steps cannot be done as
  /// one.
  package init(
    _ store: PersistentStore,
    _ steps: [MigrationStep],
    evaluates: Bool = false
  ) throws(PlanError) {
    precondition(!steps.isEmpty, "a migration has at least one step")
    let outline = try PlanError.reading(store.path, try store.outline())
    try self.init(store, StepWork(steps, of: outline), evaluates: evaluates)
  }

  /// From the work on stores of its shape; throws ``PlanError`` if no keys are left.
  package init(
    _ store: PersistentStore,
    _ step: StepWork,
    evaluates: Bool = false
  ) throws(PlanError) {
    self.store = store
    var result = step
    if !step.keepsKeys {
      var options = step.options
      options.evaluates = evaluates
      // Verification sets them in the other way.
      options.linksInRows = !evaluates
      result.instances = try InstanceWork(
        step.mapping,
        from: step.layout.schema,
        to: step.destination,
        of: store,
        options: options
      )
      result.transfers = result.instances.transfers
    }
    self.step = result
  }

  package func ancillaryChanges() throws(StoreError) -> [AncillaryChange] {
    try step.unmanagedTables.ancillaryChanges(from: step.layout.schema, of: store)
  }

  /// Inlined, so that it is read where it lies.
  @inlinable package subscript<Value>(dynamicMember path: KeyPath<StepWork, Value>) -> Value {
    step[keyPath: path]
  }
}
