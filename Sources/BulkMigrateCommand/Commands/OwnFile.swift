import BulkExecute
import BulkPlan
import BulkPlatform
import BulkVersions

/// A file that a command writes or adds to, if it is not there or is one of the same kind: never in place of a
/// store, a plan or anything else.
struct OwnFile {
  let path: String
  /// How files of its kind begin.
  let beginning: String
  /// Its kind in a sentence, as `report`.
  let kind: String

  /// Refuses a file that cannot be made, or that is of another kind, before any work is done for
  /// it.
  ///
  /// - Parameter plan: The plan whose stores it must not be.
  /// - Throws: ``MigrationError/cannotCreate(path:reason:)``.
  func refuse(besides plan: MigrationPlan? = nil) throws(MigrationError) {
    try MigrationError.writing(try OutputFile(path).refusePipe())
    guard !OutputFile(path).isStream else { return }
    let manager = FileManager.default
    try Self.refuseFolder(of: path)
    let stores = plan.map { [$0.source.store, $0.destination.store] } ?? []
    let files = stores.flatMap { store in ["", "-wal", "-shm", "-journal"].map { store + $0 } }
    guard !files.contains(FilePath.absolute(path)) else {
      throw .cannotCreate(path: path, reason: "it is a store of the plan; name another file")
    }
    guard manager.fileExists(atPath: path) else { return }
    let known = beginning.utf8
    let found = FileReading.beginning(of: path, count: known.count) ?? []
    guard found.isEmpty || found.elementsEqual(known) else {
      throw .cannotCreate(
        path: path,
        reason: "it exists and is not a \(kind), so it is not overwritten; name another file"
      )
    }
  }

  /// Refuses a file that exists, or whose folder is missing or closed.
  ///
  /// - Throws: ``MigrationError/cannotCreate(path:reason:)``.
  static func refuseExisting(_ path: String) throws(MigrationError) {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw .cannotCreate(path: path, reason: "it already exists")
    }
    try refuseFolder(of: path)
  }

  /// Refuses a file that exists and is not of the command's kind, or whose folder is missing or closed.
  ///
  /// - Throws: ``MigrationError/cannotCreate(path:reason:)``.
  static func refuseOther(
    _ path: String,
    than kind: String,
    _ isOfKind: (String) -> Bool
  ) throws(MigrationError) {
    guard FileManager.default.fileExists(atPath: path) else { return try refuseFolder(of: path) }
    guard !isOfKind(path) else { return }
    throw .cannotCreate(
      path: path,
      reason: "it exists and is not a \(kind), so it is not overwritten; name another --output"
    )
  }

  /// Refuses a file whose folder is missing or closed, before any work is done for it.
  ///
  /// - Throws: ``MigrationError/cannotCreate(path:reason:)``.
  static func refuseFolder(of path: String) throws(MigrationError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder) else {
      throw .cannotCreate(path: path, reason: "its folder does not exist")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw .cannotCreate(path: path, reason: "nothing may be made in its folder")
    }
  }

  /// Makes a file and writes it.
  ///
  /// - Throws: ``MigrationError``, with ``MigrationError/destinationExists(_:)`` if something has its name.
  static func writeNew(_ text: String, to path: String) throws(MigrationError) {
    try refuseFolder(of: path)
    do throws(FileError) {
      try OutputFile(path).writeNew(text)
    } catch {
      throw error.isTaken ? .destinationExists(path) : error.asMigrationError
    }
  }

  /// Writes all of the file, in place of an earlier one; whoever may read the store whose values it holds may read
  /// it.
  ///
  /// - Throws: ``MigrationError``.
  static func write(
    _ text: String,
    to path: String,
    ofStore store: String? = nil
  ) throws(MigrationError) {
    try MigrationError.writing(try OutputFile(path).write(Array(text.utf8), ofStore: store))
  }
}

/// The file that a command has written, its output with `--json`.
struct WrittenFile: Encodable {
  /// The path, as it was named; `nil` if there was nothing to write.
  let path: String?
  /// The stores of a manifest.
  var stores: Int64?

  /// Reports that something was written, and ends with success.
  func report(_ what: String, _ output: Output) throws -> ExitCode {
    try output.show(self, as: .written, ["\(what) written to \(path ?? "")"])
  }
}
