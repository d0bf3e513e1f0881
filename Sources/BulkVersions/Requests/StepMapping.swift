package import BulkMapping
package import BulkModel
internal import BulkPlatform

/// The mapping of a migration, from a file and between two models.
package struct StepMapping: Sendable {
  /// The mapping model; `nil` where everything is inferred.
  package let model: MappingModel?
  /// Warnings, a sentence each.
  package let warnings: [String]

  /// A digest of the mapping model, in hexadecimal.
  package var digest: String? { model.map { Digest.text(of: Array($0.json.utf8)) } }

  /// The mapping of a file, if there is one.
  package init(
    _ file: MappingFile?,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) throws(PlanError) {
    guard let file else {
      (model, warnings) = (nil, [])
      return
    }
    do throws(MappingError) {
      try file.refuseFaults()
      guard file.hasMapping else {
        (model, warnings) = (nil, [])
        return
      }
      (model, warnings) = try file.executableMappingModel(from: source, to: destination)
    } catch {
      throw .mapping(error)
    }
  }
}

extension MappingFile {
  /// Reads a mapping file for a plan.
  package static func planned(_ path: String) throws(PlanError) -> MappingFile {
    do throws(MappingError) {
      return try MappingFile.read(path)
    } catch {
      throw .mapping(error)
    }
  }

  /// The request, completed from the file.
  package func completing(_ request: PlanRequest) -> PlanRequest {
    var result = request
    result.source = request.source ?? source.store
    result.destination = request.destination ?? destination.store
    result.sourceModel = request.sourceModel ?? source.model
    result.destinationModel = request.destinationModel ?? destination.model
    return result
  }
}

/// A step of a route: from one version to another, by a mapping file or inferred.
package struct StepFiles {
  /// The version before the step.
  package let source: LocatedModel
  /// The version after the step.
  package let destination: LocatedModel
  /// The mapping file; `nil` where everything is inferred.
  package let file: MappingFile?
  /// Warnings, a sentence each.
  package let warnings: [String]

  package init(
    source: LocatedModel,
    destination: LocatedModel,
    file: MappingFile?,
    warnings: [String] = []
  ) {
    self.source = source
    self.destination = destination
    self.file = file
    self.warnings = warnings
  }
}
