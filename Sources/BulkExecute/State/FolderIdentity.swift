internal import BulkSupport

/// The identity of a state directory whose marker a power cut has taken, by its other files.
///
/// Only a folder beside a destination has a marker that is not synced by itself.
enum FolderIdentity {
  private static let length = 36
  /// The kinds of files whose names have the identity next.
  ///
  /// Others are made where the marker or a checkpoint is on the disk.
  private static let kinds: Set<Substring> = [
    "associations", "control", "destination", "draft", "external", "lock", "plan", "progress",
    "rejects", "violations",
  ]

  /// The identity in a checkpoint or in the receipt; before the first one that which all files in the folder
  /// show, each in its name or, as the copy of a plan, in its bytes.
  ///
  /// `nil` if the folder is not beside a destination, has neither, or has other files, too.
  static func shown(in folder: DurableDirectory) -> String? {
    guard folder.path.hasSuffix(StateLocation.suffix) else { return nil }
    if let found = ofCheckpoint(in: folder) { return found }
    var found: Set<String> = []
    for name in folder.names
    where !StateMarker.isName(name) && name != StateLock.name && !isRecord(name) {
      let isPlan = name == StateLocation.planName
      guard let identity = isPlan ? ofPlan(in: folder) : inName(name) else { return nil }
      found.insert(identity)
    }
    return found.count == 1 ? found.first : nil
  }

  /// `nil` if neither can be read.
  static func ofCheckpoint(in folder: DurableDirectory) -> String? {
    folder.names.lazy.filter(isRecord)
      .compactMap { folder.contents(of: $0).flatMap(Checkpoint.init) }
      .compactMap { leading($0.attempt) }.first
  }

  private static func isRecord(_ name: String) -> Bool {
    name == Receipt.name || name.hasPrefix(CheckpointFiles.prefix)
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

  private static func leading(_ text: some StringProtocol) -> String? {
    let identity = String(text.prefix(length))
    return UUID(uuidString: identity) == nil ? nil : identity
  }
}
