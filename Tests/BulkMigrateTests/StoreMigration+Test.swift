import BulkMigrate
import BulkTestSupport
import Foundation

extension StoreMigration {
  /// A migration of `store.sqlite` in a folder of versions, in the process of the tests, which holds more
  /// memory than a limit would allow for.
  init(of app: AppVersions, to destination: String = "new.sqlite", version: String? = nil) {
    self.init(
      source: app.url("store.sqlite"),
      destination: app.url(destination),
      models: [app.url("App.momd")],
      version: version
    )
    memoryLimit = .gibibytes(64)
  }

  /// A migration to a model, in the process of the tests.
  init(_ source: String, to model: String, as destination: String) {
    self.init(
      source: URL(fileURLWithPath: source),
      destination: URL(fileURLWithPath: destination),
      model: URL(fileURLWithPath: model)
    )
    memoryLimit = .gibibytes(64)
  }
}

extension AppVersions {
  func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }
}
