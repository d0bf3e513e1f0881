package import BulkModel

/// The models before and after a migration, or a step of one.
package struct ModelPair: Sendable {
  package let source: ManagedObjectModel
  package let destination: ManagedObjectModel

  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    (self.source, self.destination) = (source, destination)
  }
}
