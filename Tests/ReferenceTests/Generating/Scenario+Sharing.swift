import BulkTestSupport

extension Scenario {
  /// A scenario by chance whose mappings find objects or divide values, always the same for a seed.
  init(sharing seed: UInt64) {
    self.init(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0x5348_4152)
    var shared: Set<String> = []
    for index in step.mappings.indices {
      let isUnique = Int.random(in: 0..<10, using: &random) < 6
      let keepsLast = Bool.random(using: &random)
      let isDivided = Int.random(in: 0..<10, using: &random) < 3
      // Which keys mappings give that share objects, and so their order, is for the project to choose.
      let isFirst = !isUnique || shared.insert(step.mappings[index].destination).inserted
      guard isUnique && isFirst || isDivided else { continue }
      step.mappings[index].sharing = SharingSketch(
        isUnique: isUnique && isFirst,
        keepsLast: keepsLast,
        isDivided: isDivided
      )
    }
  }
}
