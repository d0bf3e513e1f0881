internal import BulkSupport
internal import BulkExecute
internal import BulkPlan

extension ReportPage {
  /// Beyond that many bands the table alone is clearer, and the page smaller.
  private static var mostBands: Int { 400 }
  /// The number of bands of a picture, which even at their widest take less than half a sheet of paper.
  private static var bandsOfPicture: Int { 8 }

  /// The mapping overview: bands from the entities of the source to those of the destination, and a table.
  func bandSection(rows: Int) -> [Markup] {
    let graph = PlanBands(self)
    guard !graph.lanes.isEmpty else { return [] }
    let bands = Dictionary(grouping: graph.bands) { $0.outcome == .paired }
    let (objects, pairs) = (
      bands[false]?.map(\.rows).max() ?? 0, bands[true]?.map(\.rows).max() ?? 0
    )
    let ofPairs =
      pairs == 0
      ? "."
      : ", and pairs of join tables have a scale of their own: the widest band of pairs has \(pairs.grouped)."
    let folded =
      graph.lanes.contains { $0.bands.count > $0.bands.folded.count }
      ? " Of many entities, those that are only copied or have no objects are one band, no wider than the widest."
      : ""
    let introduction =
      "Entities of the source are at the left, those of the destination at the right. A band is as wide as it has "
      + "objects; the widest has \(objects.grouped)\(ofPairs)\(folded)"
    let found = Set(graph.bands.map(\.outcome))
    let legend = EntityOutcome.allCases.filter(found.contains).map { outcome in
      Markup.tag(
        "li",
        .tag("span", class: "swatch \(outcome.rawValue)"),
        .text(outcome.word)
      )
    }
    let count = graph.lanes.reduce(0) { $0 + $1.bands.folded.count }
    let pictures =
      count > Self.mostBands
      ? [.tag("p", "There are \(Int64(count).grouped), too many for a picture.")]
      : graph.lanes.flatMap { Self.pictures(of: $0, objects: objects, pairs: pairs) }
    let table = Markup.details("As a table", [graph.table.cut(to: max(rows, 100)).markup])
    return [
      .section(
        "What becomes of what",
        [.tag("p", introduction), .tag("ul", ["class": "legend"], legend)] + pictures + [table]
      )
    ]
  }

  /// A lane as pictures between which a printer may begin another sheet.
  private static func pictures(
    of lane: PlanBands.Lane,
    objects: Int64,
    pairs: Int64
  ) -> [Markup] {
    let bands = lane.bands.folded.levelled
    let title = "\(lane.title.isEmpty ? "Entities" : lane.title) as bands"
    let pictures = stride(from: 0, to: bands.count, by: bandsOfPicture).map { start in
      let part = Array(bands[start..<min(start + bandsOfPicture, bands.count)])
      return BandPicture(part, objects: objects, pairs: pairs)
        .markup("\(title); the table below has the same content")
    }
    return (lane.title.isEmpty ? [] : [.tag("h3", lane.title)]) + pictures
  }

  func courseSection(rows: Int) -> [Markup] {
    guard let record = measures else { return [] }
    guard record.seconds > 0 else {
      return [.section("How it went", [.tag("p", "It was over before much could be measured.")])]
    }
    let last = record.samples.last
    let segments =
      record.segments > 0
      ? " Association tables took \(record.segments.grouped) \(record.segments == 1 ? "segment" : "segments") on the "
        + "disk, \(ByteCount(bytes: record.segmentBytes))." : ""
    let introduction =
      "\(Duration.seconds(record.seconds).short) of work; \(ByteCount(bytes: last?.bytesRead ?? 0)) were read, caches "
      + "included, and \(ByteCount(bytes: last?.bytesWritten ?? 0)) written.\(segments)"
    let (passes, steps) = (plan.passes.map(\.name), plan.legs.count)
    let stages = PageTable(
      "What was done when",
      StageSpan.all(of: record),
      .words("What") { $0.name(passes: passes, steps: steps) },
      .numbers("From") { Duration.seconds($0.from).short },
      .numbers("Took") { Duration.seconds($0.to - $0.from).short }
    )
    let tables = [stages, record.table].map { $0.cut(to: max(rows, 25)).markup }
    let picture = CoursePicture(record: record, passes: passes, steps: steps).markup
    return [
      .section(
        "How it went",
        [.tag("p", introduction)] + record.pauses + record.interruptions + [
          picture, .details("As a table", tables),
        ]
      )
    ]
  }
}

extension PlanBands {
  fileprivate var table: PageTable {
    let all = lanes.flatMap { lane in
      lane.bands.sorted { $0.outcome.isLoss && !$1.outcome.isLoss }.map { (lane.title, $0) }
    }
    return PageTable(
      "Mapping overview",
      all,
      .words("Source") { $0.1.source ?? "–" },
      .words("Destination") { $0.1.destination ?? "–" },
      .words("What") { $0.1.outcome.word },
      .numbers("Rows") { $0.1.count },
      .words("Step") { $0.0 },
      .words("Changes") { $0.1.details.joined(separator: "; ") }
    )
  }
}

extension MeasureRecord {
  private static func text(_ seconds: Double) -> String {
    seconds < 1 ? "\(Int((seconds * 1000).rounded())) ms" : Duration.seconds(seconds).short
  }

  fileprivate var pauses: [Markup] {
    attempts.compactMap { attempt in
      guard let pauses = attempt.pauses, let seconds = attempt.pausedSeconds else { return nil }
      let began = Date(timeIntervalSinceReferenceDate: attempt.began).formatted(.iso8601)
      let times = pauses == 1 ? "once" : "\(pauses) times"
      return .tag(
        "p",
        "The process that began at \(began) was paused \(times), for \(Self.text(seconds))."
      )
    }
  }

  fileprivate var interruptions: [Markup] {
    let sentences = zip(attempts, attempts.dropFirst()).map { before, after -> Markup in
      let ended = before.began + after.from - before.from
      let pause = Duration.seconds(max(after.began - ended, 0)).short
      let omitted = before.omitted > 0 ? ", after \(before.omitted) more attempts" : ""
      let work = Self.text(after.from)
      return .tag("li", "interrupted after \(work) of work, resumed \(pause) later\(omitted)")
    }
    return sentences.isEmpty ? [] : [.tag("ol", ["class": "interruptions"], sentences)]
  }

  /// As many samples as can be read; the pictures have all.
  fileprivate var table: PageTable {
    let step = max((samples.count + 59) / 60, 1)
    return PageTable(
      "Measures",
      samples.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element),
      .numbers("Seconds") { sample in
        let (whole, rest) = Int((sample.seconds * 100).rounded())
          .quotientAndRemainder(dividingBy: 100)
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
      },
      .numbers("Rows") { $0.rows.grouped },
      .numbers("Memory") { "\(ByteCount(bytes: $0.memoryBytes))" },
      .numbers("Read") { "\(ByteCount(bytes: $0.bytesRead))" },
      .numbers("Written") { "\(ByteCount(bytes: $0.bytesWritten))" }
    )
  }
}
