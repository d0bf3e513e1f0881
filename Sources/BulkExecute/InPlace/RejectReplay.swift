internal import BulkCoding
internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkPlatform
internal import BulkStore
internal import BulkVersions

/// Brings objects that were left out into the published destination, once the mapping, a policy or their source
/// values in the reject files were mended.
///
/// A new store is made as if nothing had ever failed, and takes the place of the destination, which is kept
/// with a `~` before its extension. Until then nothing changes; if anything still fails, nothing does.
public struct RejectReplay {
  private let folder: RejectFolder
  private let names: KeptStore
  private let configure: (inout Migration) -> Void

  /// A replay of what a run left out.
  ///
  /// - Parameters:
  ///   - folder: The folder with what was left out.
  ///   - configure: Sets what the migration needs besides the plan.
  public init(of folder: RejectFolder, configure: @escaping (inout Migration) -> Void) {
    (self.folder, self.configure) = (folder, configure)
    names = KeptStore(folder.summary.destination)
  }

  /// The name under which the former destination is kept.
  public var kept: String { names.kept.store }

  /// Makes the destination anew.
  ///
  /// - Returns: What was done.
  /// - Throws: ``MigrationError``; with the code of a stale plan if the destination has changed since objects
  ///   were left out of it, and of invalid objects if some would still have to be left out.
  public func run() throws -> MigrationOutcome {
    let swapped = try outcomeOfInterruptedSwap()
    if swapped == nil { try refuseChangedDestination() }
    let inPlace = try InPlaceFolder(names)
    do {
      let outcome = try swapped ?? replay(in: inPlace)
      try? FileManager.default.removeItem(atPath: mendedSource)
      try? FileManager.default.removeItem(atPath: folder.path)
      try inPlace.remove()
      return outcome
    } catch {
      try? FileManager.default.removeItem(atPath: mendedSource)
      let isOvertaken = inPlace.isOvertaken
      inPlace.leave(after: error)
      throw isOvertaken ? MigrationError.fenced(stateDirectory: names.folder) : error
    }
  }

  /// What an interrupted replay did that has put its store in place already; `nil` if none has.
  private func outcomeOfInterruptedSwap() throws -> MigrationOutcome? {
    guard let plan = InPlaceFolder.plan(of: names),
      let finished = Receipt.finished(in: InPlaceFolder.state(of: names)),
      finished.plan == plan.fingerprint,
      !DurableFiles.exists(names.new.store), DurableFiles.exists(names.kept.store),
      !DurableFiles.isSameFile(names.kept.store, names.store),
      try isAsPublished(names.kept.store)
    else { return nil }
    return MigrationOutcome(
      destination: names.store,
      rows: finished.rows,
      size: ByteCount(bytes: try opened(names.store).size)
    )
  }

  /// Whether a store is the one from which objects were left out, unchanged.
  private func isAsPublished(_ path: String) throws -> Bool {
    try opened(path).identification.run().text == folder.summary.destinationState
  }

  private func refuseChangedDestination() throws {
    guard try isAsPublished(names.store) else {
      throw MigrationError.stalePlan([
        "\(names.store) has changed since objects were left out of it, and a replay would undo that"
      ])
    }
  }

  private func opened(_ path: String) throws(MigrationError) -> PersistentStore {
    do {
      return try PersistentStore(path: path)
    } catch {
      throw .plan(.store(error, path: path))
    }
  }

  private func replay(in inPlace: InPlaceFolder) throws -> MigrationOutcome {
    let swap = StoreSwap(names)
    try swap.refuseExisting()
    let former = try folder.plan()
    let plan = try former.planOfReplay(of: try source(of: former), into: names.new.store)
    if plan.fingerprint != InPlaceFolder.plan(of: names)?.fingerprint { try inPlace.begin(plan) }
    var migration = Migration(plan)
    configure(&migration)
    migration.rejects = RejectPolicy(.stop)
    migration.stateDirectory = inPlace.state.path
    migration.isStep = true
    migration.keepsReceipt = true
    migration.headway = Headway()
    var outcome = try migration.run(.resumeOrBegin)
    try swap.run(ifStill: folder.summary.destinationState) {
      inPlace.isOvertaken
    } isStopped: {
      migration.mustStop
    }
    outcome.destination = names.store
    return outcome
  }

  // MARK: Mended values

  private var mendedSource: String { names.folder + "/mended-source.sqlite" }

  /// The source, or a copy of it in which values are as the reject files say.
  private func source(of plan: MigrationPlan) throws -> String {
    let store = try opened(plan.source.store)
    let schema = try plan.work().layout.schema
    let edits = try edits(SourceObjects(store, schema))
    guard !edits.isEmpty else { return plan.source.store }
    let support = ExternalBinaryData.supportFolder(of: plan.source.store)
    guard !DurableFiles.exists(support) else {
      throw MigrationError.damagedState(
        "values were mended in \(folder.path), but the source keeps values in \(support), which is not "
          + "copied; mend the source itself and plan anew"
      )
    }
    _ = FileManager.default.createFile(atPath: mendedSource, contents: nil)
    try store.copy(to: mendedSource) { false }
    let mending = try SourceMending(mendedSource, schema)
    try mending.transaction {
      for edit in edits {
        guard try mending.set(edit.value, for: edit.attribute, of: edit.entity, key: edit.key)
        else {
          throw MigrationError.damagedState(
            "\(folder.file(of: edit.entity)): \(edit.entity) has no attribute \(edit.attribute)"
          )
        }
      }
    }
    return mendedSource
  }

  private struct Edit {
    let entity: String
    let key: Int64
    let attribute: String
    let value: AttributeValue
  }

  /// The values in the reject files that are not those of the source.
  private func edits(_ objects: SourceObjects) throws -> [Edit] {
    var edits: [Edit] = []
    for entity in folder.entities {
      let path = folder.file(of: entity)
      let lines = try FileLines(path)
      var number = 0
      while let line = try lines.next() {
        number += 1
        guard let fields = try? JSONDocument(Array(line.utf8)).root.members,
          let key = fields.first(where: { $0.name == "key" }).flatMap({
            AttributeValue(json: $0.value)
          }),
          case .integer(let key) = key
        else {
          throw MigrationError.damagedState("\(path):\(number): it is no line of a reject file")
        }
        guard let values = fields.first(where: { $0.name == "values" })?.value.members else {
          continue
        }
        let found = try objects.object(of: entity, key)
        for member in values {
          guard let value = AttributeValue(json: member.value) else {
            throw MigrationError.damagedState(
              "\(path):\(number): \(member.name) has no value that an attribute can have"
            )
          }
          let known = found?.values.first { $0.name == member.name }?.value
          if known?.json != value.json {
            edits.append(Edit(entity: entity, key: key, attribute: member.name, value: value))
          }
        }
      }
    }
    return edits
  }
}

extension JSONValue {
  /// The members of an object; `nil` for anything else.
  fileprivate var members: [JSONMember]? {
    if case .object(let members) = content { return members }
    return nil
  }
}
