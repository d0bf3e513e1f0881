import BulkExecute
import BulkFleet
import BulkPlan
import BulkSupport
import BulkMigrate

/// A file that the user has named and a command writes: a new one, or one in place of another of its kind, never in place
/// of a store, a plan or anything else.
struct OutputTarget {
  /// What a file is, and how an existing one of the kind is recognized; none takes the place of a new one.
  struct Kind: Sendable {
    let noun: String
    var isOfKind: (@Sendable (String) -> Bool)?

    static let new = Kind(noun: "")
    static let report = Kind(noun: "report", isOfKind: beginning(ReportPage.beginning))
    static let manifest = Kind(noun: "manifest", isOfKind: beginning("{\"id\":"))
    static let fleetList = Kind(noun: "list of a fleet", isOfKind: beginning("{\"bin\":"))
    static let plan = Kind(noun: "plan", isOfKind: { MigrationPlan.isPlan($0) })
    static let fleet = Kind(noun: "fleet", isOfKind: { FleetPlan.isFleet($0) })

    private static func beginning(_ text: String) -> @Sendable (String) -> Bool {
      { path in
        // What cannot be read, as a folder, may be anything.
        guard let found = FileReading.beginning(of: path, count: text.utf8.count) else {
          return false
        }
        return found.isEmpty || found.elementsEqual(text.utf8)
      }
    }
  }

  let path: String
  let kind: Kind

  init(_ path: String, _ kind: Kind) { (self.path, self.kind) = (path, kind) }

  /// Refuses a file that cannot be made, or that is something else, before any work is done for it.
  ///
  /// - Parameter stores: The stores of the plan, which it must not be.
  /// - Throws: ``MigrationError/cannotCreate(path:reason:)``, ``MigrationError/destinationExists(_:)``.
  func refuse(protecting stores: [String] = []) throws(MigrationError) {
    try MigrationError.writing(try OutputFile(path).refusePipe())
    if OutputFile(path).isStream { return }
    let manager = FileManager.default
    let isThere = manager.fileExists(atPath: path)
    if isThere, kind.isOfKind == nil { throw .destinationExists(path) }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard manager.fileExists(atPath: folder) else {
      throw .cannotCreate(path: path, reason: "its folder does not exist")
    }
    guard manager.isWritableFile(atPath: folder) else {
      throw .cannotCreate(path: path, reason: "nothing may be made in its folder")
    }
    let files = stores.flatMap { store in ["", "-wal", "-shm", "-journal"].map { store + $0 } }
    guard !files.contains(FilePath.absolute(path)) else {
      throw .cannotCreate(path: path, reason: "it is a store of the plan; name another file")
    }
    guard !isThere || kind.isOfKind?(path) == true else {
      let reason =
        "it exists and is not a \(kind.noun), so it is not overwritten; name another file"
      throw .cannotCreate(path: path, reason: reason)
    }
  }

  /// Writes all of the file; whoever may read the store whose values it holds may read it.
  ///
  /// - Throws: ``MigrationError/destinationExists(_:)`` if a new file's name is taken; ``Refusal``.
  func write(_ text: String, ofStore store: String? = nil) throws {
    try write(Array(text.utf8), ofStore: store)
  }

  func write(_ bytes: [UInt8], ofStore store: String? = nil) throws {
    do throws(FileError) {
      guard kind.isOfKind == nil else {
        return try OutputFile(path).write(bytes, ofStore: store)
      }
      try OutputFile(path).writeNew(bytes)
    } catch {
      if kind.isOfKind == nil, error.isTaken { throw MigrationError.destinationExists(path) }
      switch error.asMigrationError {
      // No migration has failed, to be continued.
      case .diskFull, .inputOutput:
        throw Refusal(.inputOutput, "\(path) cannot be written: \(error.reason)")
      case let found: throw found
      }
    }
  }

  func publish(
    _ page: String,
    ofStore source: String,
    protecting stores: [String] = [],
    _ output: Output
  ) throws -> ExitCode {
    guard path != "-" else {
      try output.result(page)
      return .done
    }
    try refuse(protecting: stores)
    try write(page, ofStore: source)
    let line = "\(kind.noun) written to \(path)"
    return try output.show(["path": path], as: .written, [line])
  }
}

extension MigrationPlan {
  var stores: [String] { [source.store, destination.store] }
}
