internal import BulkPlatform

/// What the files of a folder say of its owner, where a power cut has taken the marker, which is not synced.
enum FolderContents: Equatable {
  /// Nothing, or only files that a power cut has left without an identity.
  case vacant
  /// Files of a state directory with an identity.
  case ours(identity: String)
  /// Something that cannot be of a state directory, or files of several.
  case foreign

  init(of folder: DurableDirectory) {
    guard let names = try? folder.entries() else {
      self = .foreign
      return
    }
    self = .vacant
    for name in names {
      let said = Self.said(by: name, in: folder)
      if self == .vacant {
        self = said
      } else if said != .vacant, said != self {
        self = .foreign
      }
    }
  }

  /// What one file says.
  private static func said(by name: String, in folder: DurableDirectory) -> FolderContents {
    if StateMarker.isName(name) { return StateMarker.isPlausible(in: folder) ? .vacant : .foreign }
    if name == StateLock.name { return StateLock.isPlausible(in: folder) ? .vacant : .foreign }
    if name == StateLocation.planName { return plan(in: folder) }
    if StateDirectory.ownsReport(name, in: folder) { return .vacant }
    if name == Receipt.name || name.hasPrefix(CheckpointFiles.prefix) {
      let checkpoint = folder.contents(of: name).flatMap(Checkpoint.init)
      return checkpoint.map { ofAttempt($0.attempt[...]) } ?? .foreign
    }
    let attempt = prefixes.lazy.filter(name.hasPrefix).map { name.dropFirst($0.count) }.first
    return attempt.map(ofAttempt) ?? .foreign
  }

  /// What the names of files begin with before the identity.
  private static let prefixes = [
    "associations-", "control-", "destination-", "draft-", "external-", "lock-", "plan-",
    "progress-",
    "rejects-", "violations-",
  ]

  private static func plan(in folder: DurableDirectory) -> FolderContents {
    let name = StateLocation.planName
    if folder.isCutOff(name) { return .vacant }
    return StateFolder.identity(ofPlanIn: folder).map(Self.ours) ?? .foreign
  }

  /// What the name of an attempt says, which begins with the identity.
  private static func ofAttempt(_ name: Substring) -> FolderContents {
    let identity = String(name.prefix(36))
    return UUID(uuidString: identity) == nil ? .foreign : .ours(identity: identity)
  }
}
