internal import BulkSupport
internal import BulkStore

/// Chooses how a destination is made: the cheaper of rewriting all rows and of changing a copy.
struct StrategyChoice {
  let work: MigrationWork
  let contents: PlanContents
  /// Whether a mapping file lists passes, which a copy does not have.
  let hasRequestedPasses: Bool

  /// The strategy with its reason; the requested one, if any, or a refusal where a copy cannot be changed.
  func strategy(requested kind: StoreStrategy.Kind?) throws(PlanError) -> StoreStrategy {
    let reason = "it was requested"
    switch kind {
    case .rebuild: return StoreStrategy(.rebuild, because: reason)
    case .copy:
      do throws(CopyObstacle) {
        // An unsound source is found again when it is copied, and then all rows are rewritten.
        return StoreStrategy(.copy, because: reason, isChecked: isSound(for: try changes()) == true)
      } catch {
        throw .cannotCopy(error.reason)
      }
    case nil where hasRequestedPasses:
      return StoreStrategy(.rebuild, because: "the mapping file divides the work into passes")
    case nil: return cheaper()
    }
  }

  /// The maximum size in bytes of a store that is read once more to learn whether it is sound.
  private static let mostBytesChecked: Int64 = 1 << 30

  /// Whether a copy can be changed; `nil` for a large store, which is checked as it is copied.
  private func isSound(for changes: StoreChanges) -> Bool? {
    guard work.store.size <= Self.mostBytesChecked else { return nil }
    return (try? work.store.isSound(except: changes.removedIndexes) { false }) ?? false
  }

  private func cheaper() -> StoreStrategy {
    do throws(CopyObstacle) {
      let changes = try untriedChanges()
      let (copy, rebuild) = (seconds(toCopyAnd: changes), secondsToRebuild)
      let isLight = copy + CopyCost.leastGain < rebuild
      if isLight { try tryOut(changes) }
      let isSound = isLight ? isSound(for: changes) : nil
      if isSound == false {
        return StoreStrategy(.rebuild, because: "the file is not as SQLite leaves it")
      }
      let times =
        "to write all rows takes about \(Self.text(rebuild)), to copy \(ByteCount(bytes: work.store.size)) and change "
        + "the copy about \(Self.text(copy))"
      return StoreStrategy(isLight ? .copy : .rebuild, because: times, isChecked: isSound == true)
    } catch {
      return StoreStrategy(.rebuild, because: error.reason)
    }
  }

  private func changes() throws(CopyObstacle) -> StoreChanges {
    let changes = try untriedChanges()
    try tryOut(changes)
    return changes
  }

  /// The changes of a copy, if nothing but SQLite may keep it from being changed.
  private func untriedChanges() throws(CopyObstacle) -> StoreChanges {
    let changes = try work.step.changes()
    let streamed = contents.memory.streamedTables
    for table in changes.tables where table.readsRows && streamed.contains(table.source) {
      throw CopyObstacle("rows of \(table.source) change that are too large to be held")
    }
    return changes
  }

  private func tryOut(_ changes: StoreChanges) throws(CopyObstacle) {
    if let obstacle = changes.obstacle(in: work.file) { throw CopyObstacle(obstacle) }
  }

  private var secondsToRebuild: Double {
    contents.passes.reduce(0) {
      $0 + CopyCost.writing(rows: $1.rows, bytes: Double($1.estimatedBytes))
    }
  }

  private func seconds(toCopyAnd changes: StoreChanges) -> Double {
    let tables = changes.tables.reduce(0) { sum, table in
      let rows = rows(of: table.source)
      let bytes = Double(rows) * (contents.counts.meanSizes[table.source] ?? 0)
      let rewriting = Double(table.rewrites) * CopyCost.changing(rows: rows, bytes: bytes)
      return sum + rewriting + (table.readsRows ? CopyCost.reading(rows: rows) : 0)
    }
    let indexes = changes.newIndexes.reduce(0) { sum, index in
      let table = changes.tables.first { $0.destination == index.table }
      return sum + (table.map { CopyCost.indexing(rows: rows(of: $0.source)) } ?? 0)
    }
    let altering = CopyCost.altering(
      changes.statements.count { $0.hasPrefix("ALTER ") },
      tables: work.store.schema.tables.count
    )
    return CopyCost.copying(bytes: work.store.size) + altering + tables + indexes
  }

  private func rows(of table: String) -> Int64 {
    contents.counts.rows(of: table, work.layout.schema)
  }

  private static func text(_ seconds: Double) -> String {
    "\((seconds * 10).rounded(.up) / 10) s"
  }
}

/// The costs of both strategies' parts, in seconds.
///
/// The rates are those of one core of a server of 2024 with the store in the page cache (decision 0016). Only
/// their ratios matter.
enum CopyCost {
  /// A rebuilt store has no free pages and all columns in the order of the model, which is worth more
  /// than a smaller gain.
  static let leastGain = 0.1

  /// Copying the file and waiting for the disk; the check of the source runs beside it.
  static func copying(bytes: Int64) -> Double { Double(bytes) * 0.7e-9 }

  /// Rewriting rows, with their indexes.
  static func writing(rows: Int64, bytes: Double) -> Double {
    Double(rows) * 0.2e-6 + bytes * 0.6e-9
  }

  /// Changing every row in the copy: SQLite reads it, saves its page, and writes both.
  static func changing(rows: Int64, bytes: Double) -> Double {
    Double(rows) * 1.5e-6 + bytes * 6e-9
  }

  static func reading(rows: Int64) -> Double { Double(rows) * 0.2e-6 }

  /// Altering tables; after each statement SQLite reads the schema again, some two objects a table.
  static func altering(_ statements: Int, tables: Int) -> Double {
    Double(statements) * Double(tables) * 3.6e-6
  }

  static func indexing(rows: Int64) -> Double { Double(rows) * 1e-6 }
}
