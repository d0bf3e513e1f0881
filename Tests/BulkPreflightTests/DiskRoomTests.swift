import Testing

@testable import BulkPreflight

@Suite("The room that a run takes") struct DiskRoomTests {
  private static func outcomes(free: Int64?) -> [PreflightFinding.Outcome] {
    let room = PreflightReport.Room(
      folder: "/stores",
      freeBytes: free,
      destinationBytes: 1_000,
      externalBytes: 200,
      temporaryBytes: 30
    )
    return DiskRoom.findings(room).map(\.outcome)
  }

  @Test(
    arguments: [
      (1_230, []), (1_229, [.mayStop]), (700, [.mayStop]), (699, [.stops]), (nil, []),
    ] as [(Int64?, [PreflightFinding.Outcome])]
  )
  func `a run begins with half of what the destination takes besides the files`(
    free: Int64?,
    outcomes: [PreflightFinding.Outcome]
  ) {
    #expect(Self.outcomes(free: free) == outcomes)
  }
}
