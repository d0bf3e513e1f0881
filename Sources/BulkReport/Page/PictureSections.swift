internal import BulkCoding
internal import BulkPlan
internal import BulkExecute
internal import BulkPlatform

/// The mapping overview: bands from the entities of the source to those of the destination, and a table.
struct GraphSection {
  let graph: PlanGraph
  let rows: Int

  var markup: [Markup] {
    guard !graph.lanes.isEmpty else { return [] }
    return [
      .section(
        "What becomes of what",
        [
          .tag("p", introduction), legend,
        ] + figures + [.details("As a table", [table.cut(to: max(rows, 100)).markup])]
      )
    ]
  }

  private var introduction: String {
    let (objects, pairs) = (graph.mostObjects, graph.mostPairs)
    let scale =
      pairs == 0
      ? "the widest has \(objects.grouped)."
      : "the widest has \(objects.grouped), and pairs of join tables have a scale of their own: the widest band of "
        + "pairs has \(pairs.grouped)."
    let folded =
      graph.lanes == graph.folded.lanes
      ? ""
      : " Of many entities, those that are only copied or have no objects are one band, no wider than the widest."
    return
      "Entities of the source are at the left, those of the destination at the right. A band is as wide as it has "
      + "objects; \(scale)\(folded)"
  }

  /// Beyond that many bands the table alone is clearer, and the page smaller.
  private static let mostBands = 400

  private var figures: [Markup] {
    let lanes = graph.folded.lanes
    let count = lanes.reduce(0) { $0 + $1.bands.count }
    guard count <= Self.mostBands else {
      return [.tag("p", "There are \(Int64(count).grouped), too many for a picture.")]
    }
    let scale = BandScale(mostObjects: graph.mostObjects, mostPairs: graph.mostPairs)
    return lanes.flatMap(\.parts).map { lane in
      .figure(class: lane.isContinued ? "continued" : nil, GraphPicture(lane, scale).picture)
    }
  }

  private var legend: Markup {
    .tag(
      "ul",
      ["class": "legend"],
      graph.fates.map { fate in
        .tag("li", .tag("span", class: "swatch \(fate.rawValue)"), .text(fate.word))
      }
    )
  }

  private var table: PageTable {
    let bands = graph.lanes.flatMap { lane in
      lane.bands.sorted { $0.fate.isLoss && !$1.fate.isLoss }.map { (lane.title, $0) }
    }
    return PageTable(
      "Mapping overview",
      bands,
      .words("Source") { $0.1.source ?? "–" },
      .words("Destination") { $0.1.destination ?? "–" },
      .words("What") { $0.1.fate.word },
      .numbers("Rows") { "\($0.1.isUpperBound ? "at most " : "")\($0.1.rows.grouped)" },
      .words("Pass") { $0.0 },
      .words("Changes") { $0.1.details.joined(separator: "; ") }
    )
  }
}

/// The course of the run over time.
struct CourseSection {
  let facts: ReportFacts
  let rows: Int

  var markup: [Markup] {
    guard let record = facts.measures else { return [] }
    guard record.samples.count > 2, record.seconds > 0 else {
      return [.section("How it went", [.tag("p", "It was over before much could be measured.")])]
    }
    let steps = facts.plan.legs.count
    let passes = facts.plan.passes.map(\.name)
    return [
      .section(
        "How it went",
        [.tag("p", introduction(record))] + interruptions(record) + [
          .figure(CoursePicture(record: record, passes: passes, steps: steps).picture),
          .details("As a table", [stages(record, passes, steps).markup, samples(record).markup]),
        ]
      )
    ]
  }

  private func introduction(_ record: MeasureRecord) -> String {
    let last = record.samples.last
    let read = ByteCount(bytes: last?.bytesRead ?? 0)
    let written = ByteCount(bytes: last?.bytesWritten ?? 0)
    let segments =
      record.segments > 0
      ? " Association tables took \(record.segments.grouped) "
        + "\(record.segments == 1 ? "segment" : "segments") on the disk, \(ByteCount(bytes: record.segmentBytes))."
      : ""
    return
      "\(Duration.seconds(record.seconds).short) of work; \(read) were read, caches included, and "
      + "\(written) written.\(segments)"
  }

  private static func time(_ reference: Double) -> String {
    Date(timeIntervalSinceReferenceDate: reference).formatted(.iso8601)
  }

  private static func text(_ seconds: Double) -> String {
    seconds < 1 ? "\(Int((seconds * 1000).rounded())) ms" : Duration.seconds(seconds).short
  }

  /// A sentence for each interruption.
  private func interruptions(_ record: MeasureRecord) -> [Markup] {
    let pairs = zip(record.attempts, record.attempts.dropFirst())
    let sentences = pairs.map { before, after -> String in
      let ended = before.began + after.from - before.from
      let pause = Duration.seconds(max(after.began - ended, 0)).short
      let omitted = before.omitted > 0 ? ", after \(before.omitted) more attempts" : ""
      return
        "interrupted after \(Self.text(after.from)) of work, resumed \(pause) later\(omitted)"
    }
    let pauses = record.attempts.compactMap { attempt -> String? in
      guard let pauses = attempt.pauses, let seconds = attempt.pausedSeconds else { return nil }
      let times = pauses == 1 ? "once" : "\(pauses) times"
      return
        "The process that began at \(Self.time(attempt.began)) was paused \(times), for \(Self.text(seconds))."
    }
    let paragraphs = pauses.map { Markup.tag("p", $0) }
    guard !sentences.isEmpty else { return paragraphs }
    return paragraphs + [.tag("ol", ["class": "interruptions"], sentences.map { .tag("li", $0) })]
  }

  private func stages(_ record: MeasureRecord, _ passes: [String], _ steps: Int) -> PageTable {
    PageTable(
      "What was done when",
      StageSpan.all(of: record),
      .words("What") { $0.name(passes: passes, steps: steps) },
      .numbers("From") { Duration.seconds($0.from).short },
      .numbers("Took") { Duration.seconds($0.to - $0.from).short }
    ).cut(to: max(rows, 25))
  }

  private func samples(_ record: MeasureRecord) -> PageTable {
    // As many as can be read; the pictures have all.
    let step = max((record.samples.count + Self.shownSamples - 1) / Self.shownSamples, 1)
    let shown = record.samples.enumerated().filter { $0.offset.isMultiple(of: step) }
    return PageTable(
      "Measures",
      shown.map(\.element),
      .numbers("Seconds") { Coordinate.hundredths($0.seconds) },
      .numbers("Rows") { $0.rows.map(\.grouped) ?? "" },
      .numbers("Memory") { "\(ByteCount(bytes: $0.memoryBytes))" },
      .numbers("Read") { "\(ByteCount(bytes: $0.bytesRead))" },
      .numbers("Written") { "\(ByteCount(bytes: $0.bytesWritten))" }
    ).cut(to: max(rows, 25))
  }

  private static let shownSamples = 60
}

extension Coordinate {
  /// A number that is not negative, with two decimals.
  static func hundredths(_ number: Double) -> String {
    let (whole, rest) = Int((number * 100).rounded()).quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
