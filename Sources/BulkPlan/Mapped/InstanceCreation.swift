package import BulkStore

/// The objects of one entity mapping: how their rows are made, and what is filled in afterwards.
package struct InstanceCreation: Sendable {
  /// The mapping.
  package let mapping: InstanceMapping
  /// How source rows become rows of the destination, as far as SQL says it.
  package let transfer: RowTransfer
  /// The columns that can only be filled in when other objects are there.
  package let relationships: [RowTransfer.Assignment]

  /// What fills them in.
  package var update: RowUpdate {
    RowUpdate(
      of: mapping.destinationTable,
      from: mapping.sourceTable,
      relationships,
      keyOffset: mapping.keyOffset,
      where: transfer.conditions
    )
  }
}
