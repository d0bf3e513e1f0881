internal import BulkSupport
internal import BulkExecute
internal import BulkPlan
internal import BulkMapping
internal import BulkSQLite
internal import BulkStore

/// The disk space that a run takes, by the estimates of the plan.
enum SpaceEstimate {
  /// The bytes of a pair of an association table, which is compressed, and of a link that is sorted.
  private static let associationBytes: Int64 = 16
  private static let linkBytes: Int64 = 48

  /// Computed values may be longer than those that they are made of: a store with some counts with
  /// three tenths more.
  static func space(
    _ plan: MigrationPlan,
    _ work: MigrationWork,
    externalBytes: Int64,
    rejected: Int64
  ) throws(StoreError) -> PreflightReport.Space {
    let entities = plan.passes.flatMap(\.entities)
    let recorded = work.instances.creations.filter {
      work.instances.recorded.contains($0.mapping.index)
    }
    let pairs = recorded.reduce(Int64(0)) { sum, creation in
      sum + (entities.first { $0.mapping == creation.mapping.mapping.name }?.rows ?? 0)
    }
    let links = work.instances.links.isEmpty ? 0 : plan.rows
    let holdsCopy =
      plan.strays != nil
      && DiskSpace(TemporaryFiles.folder).isShared(with: plan.destination.store)
    let least = try leastBytes(of: work) + constantBytes(of: work)
    let isComputed =
      work.step.hasPolicies || work.instances.creations.contains { !$0.evaluations.isEmpty }
    let store = (plan.estimatedSize.bytes + least) * (isComputed ? 13 : 10) / 10
    // A later leg reads the store of the one before while it makes its own.
    let storeBefore = plan.hasSeveralLegs ? store : 0
    return PreflightReport.Space(
      folder: URL(fileURLWithPath: plan.destination.store).deletingLastPathComponent().path,
      freeBytes: DiskSpace(plan.destination.store).free?.bytes,
      destinationBytes: plan.isCopying
        ? max(plan.source.bytes, plan.estimatedSize.bytes) + (try constantBytes(of: work))
        : store,
      externalBytes: externalBytes,
      temporaryBytes: associationBytes * pairs + linkBytes * links
        + (holdsCopy ? plan.source.bytes : 0) + storeBefore
        + (plan.isCopying ? try journalBytes(work) : 0)
        + rejectBytes(rejected, plan)
    )
  }

  /// The bytes of a rejected object beside its values: its names, its address, its reasons, and its key among those that
  /// are left out.
  private static let rejectBytes: Int64 = 350

  /// The bytes of reject files, whose values are a quarter longer as text.
  private static func rejectBytes(_ count: Int64, _ plan: MigrationPlan) -> Int64 {
    let mean = plan.estimatedSize.bytes / max(1, plan.rows)
    return count * (mean + mean / 4 + rejectBytes)
  }

  /// The bytes of a store without rows: every table and every index begins with a page of its own, and ends with one that
  /// is half full.
  private static func leastBytes(of work: MigrationWork) -> Int64 {
    let tables = work.destination.entityTables.count + work.destination.joinTables.count
    let systemTables = 4
    return Int64(tables + work.indexStyle.indexes.count + systemTables) * Int64(work.store.pageSize)
  }

  /// The bytes of texts and binary values that rows get whatever the source has.
  private static func constantBytes(of work: MigrationWork) throws(StoreError) -> Int64 {
    var bytes: Int64 = 0
    for transfer in work.transfers.entityRows + work.instances.creations.map(\.transfer) {
      let each = transfer.assignments.reduce(Int64(0)) { $0 + $1.value.constantBytes }
      if each > 0 { bytes += each * (try work.store.rows(in: transfer.source)) }
    }
    return bytes
  }

  /// The bytes of the pages that are changed in a copy, and kept in a journal until that is done.
  private static func journalBytes(_ work: MigrationWork) throws(StoreError) -> Int64 {
    guard let changes = try? work.step.changes() else { return 0 }
    var bytes: Int64 = 0
    for change in changes.tables where change.rewrites > 0 {
      guard let table = work.store.schema.table(named: change.source) else { continue }
      let mean = try work.store.meanRowSize(in: table)
      bytes += Int64(Double(try work.store.rows(in: change.source)) * mean)
    }
    return bytes
  }

  /// The findings on the space for the copy that replaces a source with rows of no entity.
  ///
  /// It lies among temporary files; on the disk of the destination its bytes are already counted.
  static func findings(ofCopy plan: MigrationPlan) -> [PreflightFinding] {
    let folder = TemporaryFiles.folder
    let space = DiskSpace(folder)
    guard plan.strays != nil, !space.isShared(with: plan.destination.store),
      let free = space.free?.bytes, free < plan.source.bytes
    else { return [] }
    return [
      PreflightFinding(
        .space,
        of: folder,
        rule: "\(free) bytes are free, and \(plan.source.bytes) are needed for a copy without "
          + "rows of no entity",
        count: plan.source.bytes - free,
        outcome: .stops
      )
    ]
  }

  static func findings(_ space: PreflightReport.Space) -> [PreflightFinding] {
    guard let free = space.freeBytes, free < space.neededBytes else { return [] }
    // A run refuses to begin with less than half of what the destination takes, plus the files.
    let isRefused = free < space.destinationBytes / 2 + space.externalBytes
    return [
      PreflightFinding(
        .space,
        of: space.folder,
        rule: "\(free) bytes are free, and about \(space.neededBytes) are needed",
        count: space.neededBytes - free,
        outcome: isRefused ? .stops : .mayStop
      )
    ]
  }
}

extension ColumnExpression {
  /// The bytes of a text or a binary value that all rows share.
  fileprivate var constantBytes: Int64 {
    if case .constant(.text(let text)) = self { return Int64(text.utf8.count) }
    if case .constant(.blob(let bytes)) = self { return Int64(bytes.count) }
    if case .byEntity(let cases) = self { return cases.map(\.value.constantBytes).max() ?? 0 }
    return 0
  }
}
