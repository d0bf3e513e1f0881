/// What a file says of a model, before it is known to be sound.
struct ModelParts {
  var entities: [EntityDescription] = []
  var versionIdentifiers: [String] = []
  var configurations: [String: [String]] = [:]
  var fetchRequestTemplates: [FetchRequestDescription] = []

  /// The model, or what keeps it from being sound, with the file that is to blame.
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
