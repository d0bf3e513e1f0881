/// The names that a store takes beside its own.
enum StoreNames {
  /// The files that SQLite makes beside a store.
  private static let suffixes = ["-wal", "-shm", "-journal"]
  private static let stateDirectory = ".bulkmigrate"

  /// The store to which a file belongs: the log, the journal or the state directory of one, or what is in that; any other
  /// path is that of a store.
  static func store(ofFile path: String) -> String {
    // Most paths are those of stores.
    if let place = path.firstRange(of: stateDirectory),
      place.upperBound == path.endIndex || path[place.upperBound] == "/"
    {
      return String(path[..<place.lowerBound])
    }
    for suffix in suffixes where path.hasSuffix(suffix) {
      return String(path.dropLast(suffix.count))
    }
    return path
  }

  /// Whether two paths are the same, or one is a store and the other a file of it.
  static func collide(_ one: String, _ other: String) -> Bool {
    one == other || store(ofFile: one) == other || one == store(ofFile: other)
  }
}
