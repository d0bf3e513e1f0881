package import BulkMapping
package import BulkModel
internal import Foundation

/// The mapping of a migration: what a file says between two models.
package struct StepMapping: Sendable {
  /// The mapping model; `nil` where the file leaves everything to be inferred.
  package let model: MappingModel?
  /// What deserves a look, a sentence each.
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

  /// A request that the file answers as far as the request itself does not.
  package func completing(_ request: PlanRequest) -> PlanRequest {
    var result = request
    result.source = request.source ?? source.store
    result.destination = request.destination ?? destination.store
    result.sourceModel = request.sourceModel ?? source.model
    result.destinationModel = request.destinationModel ?? destination.model
    return result
  }
}
