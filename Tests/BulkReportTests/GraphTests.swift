import BulkModel
import BulkTestSupport
import Testing

@testable import BulkReport

@Suite("The graph of a plan")
struct GraphTests {
  private static func band(
    _ source: String?,
    _ destination: String?,
    _ fate: Fate,
    _ rows: Int64
  ) -> PlanGraph.Band {
    PlanGraph.Band(
      source: source,
      destination: destination,
      fate: fate,
      read: rows,
      rows: rows,
      details: ["something \(fate.word)"]
    )
  }

  private static let lane = PlanGraph.Lane(
    title: "Pass 1",
    note: "some rows",
    bands: [
      band("Note", "Note", .changed, 1_000), band("Note", "Attachment", .made, 1_000),
      band("Note", nil, .leftOut, 400), band("Tag", "Tag", .copied, 10),
      band(nil, "Audit", .added, 0), band("Draft", nil, .removed, 90),
    ]
  )

  private static let scale = BandScale(mostObjects: 1_000, mostPairs: 4_000)

  /// The rows of a lane, as *source → destination* by the row of the left end, with that of the right end.
  private func rows(_ bands: [PlanGraph.Band]) -> [String] {
    let layout = LaneLayout(PlanGraph.Lane(title: "", note: "", bands: bands), Self.scale)
    let tops = layout.bands.map { ($0.left ?? $0.right)?.top ?? -1 }
    func number(_ row: LaneLayout.Row?) -> String {
      row.flatMap { tops.firstIndex(of: $0.top) }.map { "\($0)" } ?? "-"
    }
    return layout.bands.map {
      "\($0.band.source ?? "") → \($0.band.destination ?? ""): \(number($0.left)) \(number($0.right))"
    }
  }

  @Test func `unchanged bands run level, beside losses and what else is made of their objects`() {
    #expect(
      rows(Self.lane.bands) == [
        "Draft → : 0 -", "Note → Note: 1 1", "Note → Attachment: 2 2", "Note → : 3 -",
        " → Audit: - 4", "Tag → Tag: 5 5",
      ]
    )
  }

  @Test func `entities of which one is made follow one another, and run level`() {
    let bands = [
      Self.band("A", "A", .changed, 90), Self.band("B", "B", .changed, 80),
      Self.band("C", "A", .made, 70), Self.band("C", "C", .copied, 60),
    ]
    #expect(rows(bands) == ["C → C: 0 0", "C → A: 1 1", "A → A: 2 2", "B → B: 3 3"])
  }

  @Test func `bands cross only where two entities share two destinations`() {
    let bands = [
      Self.band("A", "C", .made, 90), Self.band("A", "D", .made, 80),
      Self.band("B", "C", .made, 70), Self.band("B", "D", .made, 60),
    ]
    #expect(rows(bands) == ["A → C: 0 0", "A → D: 1 2", "B → C: 2 1", "B → D: 3 3"])
  }

  @Test func `the bars of a side do not overlap, and are as high as their rows`() {
    let scale = BandScale(mostObjects: 1_000, mostPairs: 0)
    let layout = LaneLayout(Self.lane, scale)
    for isSource in [true, false] {
      let side = layout.nodes.filter { $0.isSource == isSource }
      #expect(side.count == (isSource ? 3 : 4))
      for (above, below) in zip(side, side.dropFirst()) {
        #expect(above.top + above.height < below.top)
      }
      #expect(side.allSatisfy { $0.top >= 0 && $0.top + $0.height <= layout.height })
    }
  }

  @Test func `of many entities those that are copied or empty are one band`() throws {
    var graph = try PlanGraph(
      facts(from: .of(EntityDescription("A", [])), [], to: .of(EntityDescription("A", [])))
    )
    let many = (1...30).map { Self.band("E\($0)", "E\($0)", .copied, $0) }
    graph.lanes = [
      Self.lane, PlanGraph.Lane(title: "Pass 2", note: "", bands: Self.lane.bands + many),
    ]
    let folded = graph.folded.lanes
    #expect(folded[0].bands == Self.lane.bands)
    // Without Tag, which is copied, and Audit, which is empty.
    #expect(
      folded[1].bands.compactMap(\.source) == ["Note", "Note", "Note", "Draft", "32 entities"]
    )
    // Tag, and 1 + 2 + … + 30.
    #expect(folded[1].bands.last?.rows == 475)
    graph.lanes = [Self.lane] + many.map { PlanGraph.Lane(title: "", note: "", bands: [$0]) }
    #expect(graph.folded.lanes.map(\.title) == ["30 passes of one entity each", "Pass 1"])
    #expect(graph.folded.lanes[0].bands.map(\.rows) == [465])
  }

  @Test func `objects and pairs have a scale each, and a thin band can still be seen`() {
    let thickness = [
      Self.band("Note", "Note", .changed, 1_000), Self.band("Note", nil, .leftOut, 400),
      Self.band("Tag", "Tag", .copied, 10), Self.band("Pairs", "Pairs", .paired, 4_000),
      Self.band("Pairs", "Pairs", .paired, 1_000), Self.band("All", "All", .copied, 9_000),
    ].map(Self.scale.thickness)
    #expect(thickness == [64, 25.6, 2, 32, 8, 64])
  }

  @Test func `several mappings of an entity read the same objects`() {
    let layout = LaneLayout(Self.lane, Self.scale)
    #expect(layout.nodes.first { $0.isSource && $0.name == "Note" }?.rows == 1_000)
  }

  @Test func `a band is labelled with its entities and rows`() {
    func label(_ band: PlanGraph.Band, _ room: Double = 1_000) -> String {
      BandLabel(band, size: 10, in: room).parts.map(\.text).joined()
    }
    #expect(label(Self.band("Note", "Attachment", .made, 1_000)) == "Note → Attachment, 1,000")
    #expect(label(Self.band("Note", nil, .leftOut, 400)) == "Note, 400 left out by a filter")
    #expect(label(Self.band("Join tables", "Join tables", .paired, 7)) == "Pairs of join tables, 7")
    var many = Self.band("A", "A", .copied, 12_000)
    (many.isUpperBound, many.folded) = (true, 30)
    #expect(label(many) == "30 entities, at most 12,000 copied or without objects")
    let long = Self.band("A", String(repeating: "x", count: 90), .made, 5)
    #expect(label(long, 150) == "A → xxxxxxx…xxxxxx, 5")
    #expect(BandLabel(long, size: 10, in: 150).width <= 150)
  }

  @Test func `a lane is cut into parts between which a sheet of paper may end`() {
    let bands = (1...20).map { Self.band("E\($0)", "E\($0)", .changed, $0) }
    let parts = PlanGraph.Lane(title: "One pass", note: "", bands: bands).parts
    #expect(parts.map(\.isContinued) == [false, true, true])
    #expect(parts.map(\.bands.count) == [8, 8, 4])
    #expect(parts[2].bands.map(\.rows) == [4, 3, 2, 1])
  }

  @Test(
    arguments: [
      (0.5, ["0", "50 ms"]), (12, ["0", "2 s"]), (300, ["0", "30 s"]), (7_300, ["0", "20m 00s"]),
    ] as [(Double, [String])]
  )
  func `moments are named at round distances`(seconds: Double, names: [String]) {
    let scale = TimeScale(seconds: seconds, left: 0, right: 100)
    #expect(Array(scale.ticks(about: 10).map(\.name).prefix(2)) == names)
    #expect(scale.ticks(about: 10).count <= 11)
  }

  @Test(
    arguments: [(0.0, 1.0), (7, 8), (64, 80), (1_200, 1_500), (0.3, 0.3)] as [(Double, Double)]
  )
  func `a scale ends at a round number`(value: Double, most: Double) {
    #expect(abs(ValueScale(upTo: value, top: 0, bottom: 10).most - most) < 1e-9)
  }
}
