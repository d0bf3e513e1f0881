/// The content of a model file, before validation.
struct ModelParts {
  var entities: [EntityDescription] = []
  var versionIdentifiers: [String] = []
  var configurations: [String: [String]] = [:]
  var fetchRequestTemplates: [FetchRequestDescription] = []

  /// Makes a valid model; errors name the file.
  func model(path: String) throws(ModelError) -> ManagedObjectModel {
    do throws(ModelError) {
      return try ManagedObjectModel(
        entities: entities,
        versionIdentifiers: versionIdentifiers,
        configurations: configurations,
        fetchRequestTemplates: fetchRequestTemplates
      )
    } catch {
      throw .invalid(path: path, place: "the model as a whole", reason: "\(error)")
    }
  }
}
