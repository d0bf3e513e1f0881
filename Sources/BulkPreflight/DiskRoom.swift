internal import BulkCoding
internal import BulkExecute
internal import BulkLowering
internal import BulkMapping
internal import BulkPlan
internal import BulkPlatform

/// The room that a run takes, by the estimates of the plan.
struct DiskRoom {
  let room: PreflightReport.Room

  /// The bytes of a pair of an association table, which is compressed, and of a link that is sorted.
  private static let associationBytes: Int64 = 16
  private static let linkBytes: Int64 = 48

  /// - Parameters:
  ///   - plan: The plan.
  ///   - work: The work of its first leg.
  ///   - externalBytes: The bytes of external values.
  init(_ plan: MigrationPlan, _ work: MigrationWork, externalBytes: Int64) {
    let entities = plan.passes.flatMap(\.entities)
    let recorded = work.instances.creations.filter {
      work.instances.recorded.contains($0.mapping.index)
    }
    let pairs = recorded.reduce(Int64(0)) { sum, creation in
      sum + (entities.first { $0.mapping == creation.mapping.mapping.name }?.rows ?? 0)
    }
    let links = work.instances.links.isEmpty ? 0 : plan.rows
    let holdsCopy =
      plan.damage != nil
      && DiskSpace(TemporaryFiles.folder).isShared(with: plan.destination.store)
    room = PreflightReport.Room(
      folder: URL(fileURLWithPath: plan.destination.store).deletingLastPathComponent().path,
      freeBytes: DiskSpace(plan.destination.store).free?.bytes,
      destinationBytes: plan.isCopying
        ? max(plan.source.bytes, plan.estimatedSize.bytes) : plan.estimatedSize.bytes,
      externalBytes: externalBytes,
      temporaryBytes: Self.associationBytes * pairs + Self.linkBytes * links
        + (holdsCopy ? plan.source.bytes : 0)
    )
  }

  /// What is found of the room for the copy that is read in the place of a source with pages that cannot be read.
  ///
  /// It lies among temporary files; on the disk of the destination its bytes are already counted.
  static func findings(ofCopy plan: MigrationPlan) -> [PreflightFinding] {
    let folder = TemporaryFiles.folder
    let space = DiskSpace(folder)
    guard plan.damage != nil, !space.isShared(with: plan.destination.store),
      let free = space.free?.bytes, free < plan.source.bytes
    else { return [] }
    return [
      PreflightFinding(
        .room,
        of: folder,
        rule: "\(free) bytes are free, and \(plan.source.bytes) are needed for a copy without "
          + "damaged pages",
        count: plan.source.bytes - free,
        outcome: .stops
      )
    ]
  }

  /// The finding, if there is too little.
  static func findings(_ room: PreflightReport.Room) -> [PreflightFinding] {
    guard let free = room.freeBytes, free < room.neededBytes else { return [] }
    // A run refuses to begin with less than half of what the destination takes.
    let isRefused = free < room.destinationBytes / 2
    return [
      PreflightFinding(
        .room,
        of: room.folder,
        rule: "\(free) bytes are free, and about \(room.neededBytes) are needed",
        count: room.neededBytes - free,
        outcome: isRefused ? .stops : .mayStop
      )
    ]
  }
}
