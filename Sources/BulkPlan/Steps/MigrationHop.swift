package import BulkMapping
package import BulkModel
internal import Foundation

/// One step of a migration, from one version of a model to another.
package struct MigrationHop: Sendable {
  /// What plans call the version that the step leads to.
  package let name: String
  /// The model before.
  package let source: ManagedObjectModel
  /// The model afterwards.
  package let destination: ManagedObjectModel
  /// How the models map; `nil` where that is inferred.
  package let mapping: MappingModel?

  package init(
    to name: String,
    from source: ManagedObjectModel,
    _ destination: ManagedObjectModel,
    mapping: MappingModel? = nil
  ) {
    self.name = name
    self.source = source
    self.destination = destination
    self.mapping = mapping
  }
}

extension MigrationHop {
  /// The step between two models that were found.
  package init(from source: LocatedModel, to destination: LocatedModel, mapping: MappingModel?) {
    self.init(
      to: destination.versionName,
      from: source.model,
      destination.model,
      mapping: mapping
    )
  }
}

extension MigrationHop {
  /// How the models map, inferred where nobody wrote it.
  ///
  /// - Throws: ``PlanError/notInferable(_:)``.
  func mappingModel() throws(PlanError) -> MappingModel {
    if let mapping { return mapping }
    do throws(InferenceError) {
      return try MappingModel.inferred(from: source, to: destination)
    } catch {
      throw .notInferable(error)
    }
  }
}

extension LocatedModel {
  /// What the model's file is called, without its suffix.
  fileprivate var versionName: String {
    URL(fileURLWithPath: input.path).deletingPathExtension().lastPathComponent
  }
}
