import BulkTestSupport

/// Makes versions of a model by chance, each of which can be inferred from the one before.
///
/// Names are few, so that what was removed is often added again under one name.
struct ChainGenerator {
  /// The versions so far, at least one.
  private(set) var models: [ManagedObjectModel]
  /// What changed, version by version.
  private(set) var changes: [String] = []
  private var random: SeededGenerator

  init(seed: UInt64, versions: Int) throws {
    random = SeededGenerator(seed: seed)
    models = [try Self.first(&random)]
    while models.count < versions, addVersion() {}
  }

  private static func first(_ random: inout SeededGenerator) throws -> ManagedObjectModel {
    var sound = ModelDraft()
    var changes = 0
    while changes < 24 || sound.model == nil {
      var draft = sound
      guard draft.change(&random) != nil, draft.entities.isEmpty || draft.model != nil else {
        continue
      }
      sound = draft
      changes += 1
    }
    return try ManagedObjectModel(entities: sound.entities)
  }

  /// Adds a version, and returns whether one was found; names by which several things go may leave none.
  private mutating func addVersion() -> Bool {
    let last = models[models.count - 1]
    for _ in 0..<100 {
      var draft = ModelDraft(last)
      let done = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
        draft.change(&random)
      }
      guard
        !done.isEmpty, let model = draft.model, model != last,
        (try? MappingModel.inferred(from: last, to: model)) != nil
      else { continue }
      models.append(model)
      changes.append("v\(models.count - 1): " + done.joined(separator: "; "))
      return true
    }
    return false
  }
}
