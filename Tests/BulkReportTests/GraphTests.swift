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

  @Test(arguments: [GraphForm.wide, .narrow].map(\.width))
  func `no two entities of a side overlap, and every band ends at its entities`(width: Double) {
    let form = width == GraphForm.wide.width ? GraphForm.wide : .narrow
    let layout = LaneLayout(Self.lane, form, mostRows: 1_000)
    for isSource in [true, false] {
      let side = layout.nodes.filter { $0.isSource == isSource }.sorted { $0.top < $1.top }
      for (above, below) in zip(side, side.dropFirst()) {
        #expect(above.top + above.height <= below.top)
      }
      #expect(side.allSatisfy { $0.top >= 0 && $0.top + $0.height <= layout.height + 0.01 })
    }
    for placed in layout.bands {
      let source = layout.nodes.first { $0.isSource && $0.name == placed.band.source }
      let destination = layout.nodes.first { !$0.isSource && $0.name == placed.band.destination }
      #expect((source == nil) == (placed.left == nil))
      #expect((destination == nil) == (placed.right == nil))
      if let source, let left = placed.left {
        #expect(left >= source.top && left <= source.top + source.height)
      }
      if let destination, let right = placed.right {
        #expect(right >= destination.top && right <= destination.top + destination.height)
      }
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
  }

  @Test func `a band is as thick as it has rows, and one with few can still be seen`() {
    let layout = LaneLayout(Self.lane, .wide, mostRows: 1_000)
    let thickness = Dictionary(
      layout.bands.map { ($0.band.destination ?? $0.band.fate.rawValue, $0.thickness) },
      uniquingKeysWith: { first, _ in first }
    )
    #expect(thickness["Note"] == 64)
    #expect(thickness["left-out"] == 25.6)
    #expect(thickness["Tag"] == 2)
    #expect(thickness["Audit"] == 2)
  }

  @Test func `several mappings of an entity read the same objects`() {
    let layout = LaneLayout(Self.lane, .wide, mostRows: 1_000)
    #expect(layout.nodes.first { $0.isSource && $0.name == "Note" }?.rows == 1_000)
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
