internal import BulkModel

extension LocatedModel {
  /// The model with those of other files merged into it.
  package func merged(with paths: [String]) throws(PlanError) -> LocatedModel {
    var models = [model]
    for path in paths { models.append(try ModelLocator.inFile(path).model) }
    do throws(ModelError) {
      var result = LocatedModel(try ManagedObjectModel(merging: models), at: input)
      result.input.mergedWith = paths
      return result
    } catch {
      throw .badModel(error)
    }
  }

  /// The part of the model that a configuration names.
  func restricted(to configuration: String) throws(PlanError) -> LocatedModel {
    do throws(ModelError) {
      guard let part = try model.model(ofConfiguration: configuration) else {
        throw .notAModel(path: input.path, reason: "it has no configuration \(configuration)")
      }
      var result = LocatedModel(part, at: input)
      result.input.configuration = configuration
      return result
    } catch {
      throw .badModel(error)
    }
  }
}
