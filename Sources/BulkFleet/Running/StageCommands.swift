internal import BulkSupport
internal import BulkExecute
internal import BulkPlan

/// The commands by which stores are fetched from where this program cannot open them, and put there.
///
/// Both are lines for the shell, which finds the names of one file in the variables `FROM` and `TO`. The one that
/// fetches ends with 0 if it did, and with ``absent`` if there is nothing of that name. The one that puts ends with 0 if
/// it did, and with ``taken`` if something has the name: it must never overwrite anything. What was left out and the files
/// of a store are put one by one, its own last, and then the receipt, under the name of the store with
/// ``receiptSuffix``.
package struct StageCommands {
  /// The code of `stage-in` for something that does not exist.
  static let absent: Int32 = 66
  /// The code of `stage-out` for a name that is taken.
  static let taken: Int32 = 73
  static let receiptSuffix = ".receipt.json"

  private let fetching: String
  private let putting: String
  private let scratch: String
  /// Asked before every command.
  var isStopped: () -> Bool = { false }

  /// Makes the folder for local stores.
  package init(in fetching: String, out putting: String, scratch: String) throws(FleetError) {
    self.fetching = fetching
    self.putting = putting
    self.scratch = FilePath.absolute(scratch)
    do {
      try FileManager.default.createDirectory(
        atPath: self.scratch,
        withIntermediateDirectories: true
      )
    } catch {
      throw .cannotWrite(path: self.scratch, reason: "the folder for local stores cannot be made")
    }
  }

  /// Fetches a store, lets it be migrated, and puts the result and then its receipt.
  ///
  /// `migrate` makes a local store of another local one, and none where there is nothing to do. `already` is called
  /// instead if the receipt says that it is done, with the number of objects that were left out; `nil` if none
  /// were, or their files are gone since. After an error that is `final` nothing of the attempt is used again.
  func run(
    _ store: FleetStore,
    of fleet: FleetPlan,
    _ planner: FleetPlanner,
    migrate: (String, String) throws -> Void,
    already: (_ rejected: Int64?) -> Void,
    final isFinal: (any Error) -> Bool
  ) throws {
    let path = "\(scratch)/\(Digest.text(of: Array(store.id.utf8)).prefix(24))"
    let folder = try ScratchFolder(path, isNamed: false)
    do {
      let found = folder.path("found.json")
      if try fetchIfAny(store.destination + Self.receiptSuffix, to: found),
        let receipt = try? JSONDecoder().decode(
          StagedReceipt.self,
          from: Data(FileReading.all(of: found) ?? [])
        ), receipt.id == store.id, receipt.fleet == fleet.fingerprint,
        [receipt.rejected ?? 0].areCounts
      {
        let summary = RejectFolder.summary(of: store.destination)
        let isLeft = try receipt.rejected != nil && fetchIfAny(summary, to: found)
        already(isLeft ? receipt.rejected : nil)
      } else if let made = try make(of: store, in: folder, knownBy: planner, migrate) {
        let (staged, other) = (StagedStore(store.destination, self), folder.path("other"))
        let rejected = try staged.putRejects(
          of: made,
          from: store.source,
          copyingTo: folder.path("rejects"),
          comparingIn: other
        )
        try staged.put(made, comparingIn: other)
        let receipt = StagedReceipt(
          id: store.id,
          fleet: fleet.fingerprint,
          digest: try Self.digest(of: made),
          rejected: rejected
        )
        let local = folder.path("receipt.json")
        try Data((try StableJSON.line(receipt) + "\n").utf8).write(to: URL(fileURLWithPath: local))
        // Another attempt that has put it wrote the same.
        _ = try putIfFree(local, as: store.destination + Self.receiptSuffix)
      }
      folder.remove()
    } catch {
      if isFinal(error) { folder.remove() } else { folder.leave() }
      throw error
    }
  }

  /// The local store that is made of one that is fetched; `nil` if there was nothing to do.
  private func make(
    of store: FleetStore,
    in folder: ScratchFolder,
    knownBy planner: FleetPlanner,
    _ migrate: (String, String) throws -> Void
  ) throws -> String? {
    let (sources, made) = (folder.path("source"), folder.path("destination.sqlite"))
    let staged = StagedStore(store.source, self)
    var isFetched = FileManager.default.fileExists(atPath: sources)
    if isFetched,
      try !staged.isCopied(to: sources + Self.sourceName, comparingIn: folder.path("other"))
    {
      // An earlier attempt has begun with another source.
      folder.clear()
      isFetched = false
    }
    if !isFetched {
      let draft = sources + ".part"
      try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: true)
      try staged.fetch(to: draft + Self.sourceName, planner)
      try folder.keep(draft, as: sources)
    }
    try migrate(sources + Self.sourceName, made)
    return FileManager.default.fileExists(atPath: made) ? made : nil
  }

  private static let sourceName = "/source.sqlite"

  func fetch(_ name: String, to path: String) throws {
    guard try fetchIfAny(name, to: path) else { throw FleetError.absent(name) }
  }

  /// Fetches a file; returns whether there is one.
  func fetchIfAny(_ name: String, to path: String) throws -> Bool {
    // A line that was killed may have left a part.
    try? FileManager.default.removeItem(atPath: path)
    switch try run(fetching, from: name, to: path) {
    case 0 where FileManager.default.fileExists(atPath: path): return true
    case 0:
      throw FleetError(
        StoreResult.Code.inputOutput,
        "the command to fetch \(name) ended with 0 and made no file"
      )
    case Self.absent: return false
    case let code: throw Self.failure("to fetch \(name)", code)
    }
  }

  /// Puts a file, unless an earlier attempt has put the same bytes; a file that has the name is fetched to `other`.
  func put(_ path: String, as name: String, comparingIn other: String) throws {
    if try putIfFree(path, as: name) { return }
    try fetch(name, to: other)
    guard try Self.digest(of: other) == Self.digest(of: path) else {
      throw FleetError(
        StoreResult.Code.cannotCreate,
        "\(name) already exists, with other bytes, and is not overwritten; remove it if an attempt left it there that did "
          + "not put its store"
      )
    }
  }

  /// Puts a file; returns whether nothing had the name.
  func putIfFree(_ path: String, as name: String) throws -> Bool {
    switch try run(putting, from: path, to: name) {
    case 0: return true
    case Self.taken: return false
    case let code: throw Self.failure("to put \(name)", code)
    }
  }

  private func run(_ command: String, from: String, to: String) throws -> Int32 {
    if isStopped() { throw MigrationError.cancelled }
    // Names are values of variables, which the shell never reads as commands. Standard output carries the answers of
    // the worker.
    let line = "FROM=$1 TO=$2; export FROM TO; set --; { \(command)\n} >&2"
    let process = try ChildProcess("/bin/sh", ["-c", line, "sh", from, to])
    process.endInput()
    return process.end().exitCode
  }

  private static func failure(_ what: String, _ code: Int32) -> FleetError {
    FleetError(
      StoreResult.Code.inputOutput,
      "the command \(what) ended with \(code); it must end with \(absent) where there is nothing of that name, and "
        + "with \(taken) where a name is taken"
    )
  }

  static func digest(of path: String) throws -> String {
    guard let digest = Digest.text(ofFile: path) else { throw FleetError.absent(path) }
    return digest
  }
}

/// The receipt beside a store that was put: the fleet that made it, its digest, and the number of objects that were left
/// out.
struct StagedReceipt: Codable, Hashable {
  let id: String
  let fleet: String
  let digest: String?
  let rejected: Int64?
}
