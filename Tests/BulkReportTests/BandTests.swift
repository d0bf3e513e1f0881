import Testing

@testable import BulkMigrate

struct BandTests {
  private static func band(
    _ source: String?,
    _ destination: String?,
    _ outcome: EntityOutcome,
    _ rows: Int64
  ) -> PlanBands.Band {
    PlanBands.Band(
      source: source,
      destination: destination,
      outcome: outcome,
      read: rows,
      rows: rows,
      details: ["something \(outcome.word)"]
    )
  }

  private static let bands = [
    band("Note", "Note", .changed, 1_000), band("Note", "Attachment", .made, 1_000),
    band("Note", nil, .leftOut, 400), band("Tag", "Tag", .copied, 10),
    band(nil, "Audit", .added, 0), band("Draft", nil, .removed, 90),
  ]

  private func picture(_ bands: [PlanBands.Band]) -> BandPicture {
    BandPicture(bands.levelled, objects: 1_000, pairs: 4_000)
  }

  /// The rows of a picture, as *source → destination* by the row of the left end, with that of the right end.
  private func rows(_ bands: [PlanBands.Band]) -> [String] {
    let placed = picture(bands).bands
    let tops = placed.map { ($0.left ?? $0.right)?.lowerBound ?? -1 }
    func number(_ row: BandPicture.Row?) -> String {
      row.flatMap { tops.firstIndex(of: $0.lowerBound) }.map { "\($0)" } ?? "-"
    }
    return placed.map {
      "\($0.band.source ?? "") → \($0.band.destination ?? ""): \(number($0.left)) \(number($0.right))"
    }
  }

  @Test func `unchanged bands run level, beside losses and what else is made of their objects`() {
    #expect(
      rows(Self.bands) == [
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
    for isSource in [true, false] {
      let side = picture(Self.bands).bars(isSource: isSource).sorted {
        $0.row.lowerBound < $1.row.lowerBound
      }
      #expect(side.count == (isSource ? 3 : 4))
      for (above, below) in zip(side, side.dropFirst()) {
        #expect(above.row.upperBound < below.row.lowerBound)
      }
    }
  }

  @Test func `of many entities those that are copied or empty are one band`() {
    #expect(Self.bands.folded == Self.bands)
    let many = (1...30).map { Self.band("E\($0)", "E\($0)", .copied, $0) }
    let folded = (Self.bands + many).folded
    // Without Tag, which is copied, and Audit, which is empty.
    #expect(folded.compactMap(\.source) == ["Note", "Note", "Note", "Draft", "32 entities"])
    // Tag, and 1 + 2 + … + 30.
    #expect(folded.last?.rows == 475)
  }

  @Test func `objects and pairs have a scale each, and a thin band can still be seen`() {
    let bands = [
      Self.band("Note", "Note", .changed, 1_000), Self.band("Note", nil, .leftOut, 400),
      Self.band("Tag", "Tag", .copied, 10), Self.band("Pairs", "Pairs", .paired, 4_000),
      Self.band("Pairs", "Pairs", .paired, 1_000), Self.band("All", "All", .copied, 9_000),
    ]
    let picture = BandPicture(bands, objects: 1_000, pairs: 4_000)
    #expect(picture.bands.map(\.thickness) == [64, 25.6, 2, 32, 8, 64])
  }

  @Test func `several mappings of an entity read the same objects`() {
    let note = picture(Self.bands).bars(isSource: true).first { $0.name == "Note" }
    #expect(note?.rows == 1_000)
  }

  @Test func `a band is labelled with its entities, rows and changes`() {
    func label(_ band: PlanBands.Band) -> String {
      var text = ""
      for part in BandPicture.parts(band) { part.write(to: &text) }
      return text.replacing(#/<[^>]*>/#, with: "")
    }
    #expect(
      label(Self.band("Note", "Attachment", .made, 1_000))
        == "Note → Attachment, 1,000something made by a mapping"
    )
    #expect(label(Self.band("Note", nil, .leftOut, 400)) == "Note, 400 left out by a filter")
    #expect(label(Self.band("Join tables", "Join tables", .paired, 7)) == "Pairs of join tables, 7")
    var many = Self.band("A", "A", .copied, 12_000)
    (many.isUpperBound, many.folded) = (true, 30)
    #expect(label(many) == "30 entities, at most 12,000 copied or without objects")
  }

  @Test(
    arguments: [
      (0.5, ["0", "50 ms"]), (12, ["0", "2 s"]), (300, ["0", "30 s"]), (7_300, ["0", "20m 00s"]),
    ] as [(Double, [String])]
  )
  func `moments are named at round distances`(seconds: Double, names: [String]) {
    let ticks = TimeTicks.names(of: seconds, about: 10)
    #expect(Array(ticks.map(\.name).prefix(2)) == names)
    #expect(ticks.count <= 11)
  }

  @Test(
    arguments: [(0.0, 1.0), (7, 8), (64, 80), (1_200, 1_500), (0.3, 0.3)] as [(Double, Double)]
  )
  func `a scale ends at a round number`(value: Double, most: Double) {
    #expect(abs(ValueScale(upTo: value, 0, 10).most - most) < 1e-9)
  }
}
