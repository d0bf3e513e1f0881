internal import BulkPlatform

/// The identity of a state directory whose marker a power cut has taken, by its other files.
///
/// Only a folder beside a destination has a marker that is not synced by itself.
enum FolderIdentity {
  private static let length = 36
  /// The kinds of files whose names have the identity next, but those of which each has a checkpoint before it.
  private static let kinds: Set<Substring> = [
    "associations", "control", "destination", "draft", "external", "lock", "plan", "progress",
    "rejects", "violations",
  ]

  /// The identity in a checkpoint or in the receipt; before the first one that which all files in the folder show, each
  /// in its name or, as the copy of a plan, in its bytes.
  ///
  /// - Returns: The identity; `nil` if the folder is not beside a destination, has neither, or has other files, too.
  static func shown(in folder: DurableDirectory) -> String? {
    guard folder.path.hasSuffix(StateLocation.suffix) else { return nil }
    let names = folder.names
    for name in names where name == Receipt.name || name.hasPrefix(CheckpointFiles.prefix) {
      if let found = folder.contents(of: name).flatMap(Checkpoint.init) {
        return leading(found.attempt)
      }
    }
    var found: Set<String> = []
    for name in names where !StateMarker.isName(name) && name != StateLock.name {
      let isPlan = name == StateLocation.planName
      guard let identity = isPlan ? ofPlan(in: folder) : inName(name) else { return nil }
      found.insert(identity)
    }
    return found.count == 1 ? found.first : nil
  }

  private static func inName(_ name: String) -> String? {
    let kind = name.prefix { $0 != "-" }
    return kinds.contains(kind) ? leading(name.dropFirst(kind.count + 1)) : nil
  }

  private static func ofPlan(in folder: DurableDirectory) -> String? {
    let beginning = StateFolder.planBeginning
    let head = folder.head(of: StateLocation.planName, upTo: beginning.utf8.count + length)
    guard let text = head.map({ String(decoding: $0, as: UTF8.self) }), text.hasPrefix(beginning)
    else {
      return nil
    }
    return leading(text.dropFirst(beginning.count))
  }

  /// The identifier with which a text begins.
  private static func leading(_ text: some StringProtocol) -> String? {
    let identity = String(text.prefix(length))
    return UUID(uuidString: identity) == nil ? nil : identity
  }
}
