internal import BulkStore
internal import BulkPlan
internal import BulkSupport

/// The names of a store that was replaced by its migrated one.
///
/// As Core Data does, a `~` precedes the extension: `Notes~.sqlite`.
struct KeptStore {
  let store: String
  let location: StateLocation
  let new: DestinationFiles
  /// The folder of the migrated store, if it is made for that alone.
  let newFolder: String?

  init(_ store: String) {
    self.init(
      store,
      in: StateLocation(stateDirectory: store + ".bulkmigrate", isNamed: false),
      named: nil
    )
  }

  /// Of the store that a link leads to.
  init(resolving store: String) {
    self.init(URL(fileURLWithPath: store).resolvingSymlinksInPath().path)
  }

  /// The names for a replay of rejected objects.
  ///
  /// The state directory with the reject files may be on another file system than the store; `identity` is its.
  init(_ store: String, replayedIn state: StateLocation, _ identity: String) {
    self.init(
      store,
      in: StateLocation(
        stateDirectory: "\(state.path)/\(RejectSummary.replayName)",
        isNamed: false
      ),
      named: state.isNamed ? identity : nil
    )
  }

  private init(_ store: String, in location: StateLocation, named identity: String?) {
    self.store = store
    self.location = location
    newFolder = identity == nil ? "\(location.path)/new" : nil
    new = DestinationFiles(
      identity.map { "\(store).bulkmigrate-\($0)" }
        ?? "\(location.path)/new/\(URL(fileURLWithPath: store).lastPathComponent)"
    )
  }

  var kept: DestinationFiles { DestinationFiles(name("~")) }

  /// The migrated store, after a rollback.
  var undone: DestinationFiles { DestinationFiles(name("~undone")) }
  var folder: String { location.path }

  func request(_ request: PlanRequest) -> PlanRequest {
    var request = request
    request.source = store
    request.destination = new.store
    return request
  }

  /// Refuses a store that another process has open, and writes its log into the file.
  func refuseInUse() throws(MigrationError) {
    do {
      try ExclusiveAccess(store).end()
    } catch {
      throw .unusable(error, store)
    }
  }

  private func name(_ suffix: String) -> String {
    let url = URL(fileURLWithPath: store)
    let bare = url.deletingPathExtension().path + suffix
    return url.pathExtension.isEmpty ? bare : "\(bare).\(url.pathExtension)"
  }
}
