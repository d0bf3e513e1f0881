extension Migration {
  /// A migration in the process of the tests, which holds more memory than a limit would allow for, and may
  /// lose anything.
  package init(inTestProcess plan: MigrationPlan) {
    self.init(plan, .inTestProcess)
  }
}

extension MigrationSettings {
  package static var inTestProcess: MigrationSettings {
    var settings = MigrationSettings()
    settings.memoryLimit = .gibibytes(64)
    settings.lossLimit = .all
    return settings
  }
}
