internal import BulkSupport
internal import BulkExecute

/// The course of a run: stages, memory against its limit, rows and bytes a second, on one axis of
/// time; a line through all of them where it was interrupted.
struct CoursePicture {
  let record: MeasureRecord
  let passes: [String]
  let steps: Int

  private static let width = 1080.0
  /// The edges of the panels: names of values are at the left.
  private static let (left, right) = (84.0, width - 16)
  /// The space above a panel, for its title, and that below the last one, for the names of moments.
  private static let (title, axis) = (44.0, 26.0)
  private static let slices = 120

  private typealias Panel = (
    title: String, height: Double, legend: [String],
    draw: (_ top: Double, _ base: Double) -> [Markup]
  )

  var markup: Markup {
    var shapes: [Markup] = []
    var bottom = 0.0
    for panel in panels {
      let top = bottom + Self.title
      bottom = top + panel.height
      shapes.append(.label(panel.title, at: Point(0, top - 18), "panel-title"))
      shapes += legend(panel.legend, y: top - 18) + panel.draw(top, bottom)
      shapes += record.attempts.dropFirst().map { attempt in
        .line([Point(x(attempt.from), top), Point(x(attempt.from), bottom)], "interruption")
      }
    }
    return .picture(
      "Stages, memory, rows and bytes over time; the table below has the numbers",
      width: Self.width,
      height: bottom + Self.axis,
      shapes + axis(at: bottom) + marks(at: bottom)
    )
  }

  /// The width of a name in the pictures' font of 12 pixels, or a little more.
  private static func width(of name: String) -> Double { 8 * Double(name.count) }

  private func x(_ moment: Double) -> Double {
    let share = record.seconds > 0 ? min(max(moment / record.seconds, 0), 1) : 0
    return Self.left + share * (Self.right - Self.left)
  }

  // MARK: Panels

  private var panels: [Panel] {
    var panels: [Panel] = [
      ("What was done", 26, [], stages),
      ("Memory of the process", 150, ["limit", "memory"], memory),
      ("Rows a second", 92, [], { rates([("rows", { $0.rows })], $0, $1, isBinary: false) }),
    ]
    if record.samples.contains(where: { $0.bytesRead > 0 || $0.bytesWritten > 0 }) {
      panels.append(
        (
          "Bytes a second", 92, ["written", "read"],
          {
            rates(
              [("read", { $0.bytesRead }), ("written", { $0.bytesWritten })],
              $0,
              $1,
              isBinary: true
            )
          }
        )
      )
    }
    return panels
  }

  /// The names of a panel's lines, from the right edge to the left.
  private func legend(_ words: [String], y: Double) -> [Markup] {
    var end = Self.right
    return words.flatMap { word -> [Markup] in
      let start = end - Self.width(of: word)
      defer { end = start - 38 }
      return [
        .label(word, at: Point(end, y), "tick", .end),
        .line([Point(start - 24, y - 4), Point(start - 6, y - 4)], "\(word)-line"),
      ]
    }
  }

  private func stages(_ top: Double, _ base: Double) -> [Markup] {
    StageSpan.all(of: record).map { span in
      let (left, right) = (x(span.from), x(span.to))
      let name = span.name(passes: passes, steps: steps)
      let box = Markup.rectangle(
        x: left,
        y: top,
        width: max(right - left, 1),
        height: base - top,
        radius: 3,
        span.style
      )
      let isNamed = Self.width(of: name) + 12 <= right - left
      let label = Markup.label(name, at: Point(left + 6, (top + base) / 2 + 4.5), "span-name")
      let time = Duration.seconds(span.to - span.from).short
      return .named("\(name): \(time)", isNamed ? [box, label] : [box])
    }
  }

  private func memory(_ top: Double, _ base: Double) -> [Markup] {
    let most = max(
      record.attempts.map(\.memoryLimit).max() ?? 0,
      record.peakMemory?.bytes ?? 0
    )
    let scale = ValueScale(upTo: Double(most) * 1.04, top, base, isBinary: true)
    // A sample has the peak since the one before.
    let points = zip([0] + record.samples.map(\.seconds), record.samples).flatMap { from, sample in
      [from, sample.seconds].map { Point(x($0), scale.y(Double(sample.memoryBytes))) }
    }
    let limits = record.attempts.indices.map { index -> Markup in
      let attempt = record.attempts[index]
      let isLast = index + 1 == record.attempts.count
      let end = isLast ? record.seconds : record.attempts[index + 1].from
      let y = scale.y(Double(attempt.memoryLimit))
      let line = Markup.line([Point(x(attempt.from), y), Point(x(end), y)], "limit-line")
      return .named("limit \(ByteCount(bytes: attempt.memoryLimit))", [line])
    }
    return grid(scale, isBinary: true) + Markup.area(points, downTo: base, "memory") + limits
      + peak(scale, base)
  }

  /// The peak of the memory, where the samples have their highest.
  private func peak(_ scale: ValueScale, _ base: Double) -> [Markup] {
    guard let highest = record.samples.max(by: { $0.memoryBytes < $1.memoryBytes }),
      let peak = record.peakMemory
    else { return [] }
    let point = Point(x(highest.seconds), scale.y(Double(peak.bytes)))
    let isLate = point.x > (Self.left + Self.right) / 2
    return [
      .rectangle(x: point.x - 3.5, y: point.y - 3.5, width: 7, height: 7, radius: 3.5, "peak"),
      .label(
        "peak \(peak)",
        at: Point(point.x + (isLate ? -8 : 8), min(point.y + 18, base - 6)),
        "value",
        isLate ? .end : .start
      ),
    ]
  }

  private func rates(
    _ values: [(name: String, value: (MeasureRecord.Sample) -> Int64)],
    _ top: Double,
    _ base: Double,
    isBinary: Bool
  ) -> [Markup] {
    let rates = values.map { record.rates(count: Self.slices, $0.value) }
    let scale = ValueScale(upTo: rates.joined().max() ?? 0, top, base, isBinary: isBinary)
    let width = (Self.right - Self.left) / Double(Self.slices)
    return grid(scale, isBinary: isBinary)
      + zip(values, rates).flatMap { value, rates in
        let points = rates.enumerated().flatMap { index, rate in
          let start = Self.left + Double(index) * width
          return [Point(start, scale.y(rate)), Point(start + width, scale.y(rate))]
        }
        return Markup.area(points, downTo: base, value.name)
      }
  }

  private func grid(_ scale: ValueScale, isBinary: Bool) -> [Markup] {
    [0, 0.5, 1].flatMap { share -> [Markup] in
      let value = Int64(scale.most * share)
      let text = share == 0 ? "0" : isBinary ? "\(ByteCount(bytes: value))" : value.grouped
      let y = scale.y(scale.most * share)
      return [
        .line([Point(Self.left, y), Point(Self.right, y)], "grid"),
        .label(text, at: Point(Self.left - 8, y + 4.5), "tick", .end),
      ]
    }
  }

  // MARK: Time

  private func axis(at y: Double) -> [Markup] {
    TimeTicks.names(of: record.seconds, about: 10).flatMap { moment, name -> [Markup] in
      let width = Self.width(of: name)
      // The first and the last name end where the picture does.
      let middle = min(max(x(moment), width / 2), Self.width - width / 2)
      return [
        .line([Point(x(moment), y), Point(x(moment), y + 5)], "grid"),
        .label(name, at: Point(middle, y + 19), "tick", .middle),
      ]
    }
  }

  private func marks(at y: Double) -> [Markup] {
    record.attempts.dropFirst().enumerated().map { index, attempt in
      let x = x(attempt.from)
      return .named(
        "interrupted at \(Duration.seconds(attempt.from).short), then resumed",
        [
          .rectangle(x: x - 8, y: y - 9, width: 16, height: 16, radius: 8, "mark"),
          .label("\(index + 1)", at: Point(x, y + 3.5), "mark-name", .middle),
        ]
      )
    }
  }
}

enum TimeTicks {
  private static let steps = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600,
    7_200, 14_400, 28_800, 86_400,
  ]

  /// The moments of so many seconds with their names, about as many as requested.
  static func names(of seconds: Double, about count: Int) -> [(moment: Double, name: String)] {
    guard seconds > 0 else { return [] }
    let least = seconds / Double(count)
    let step = steps.first { $0 >= least } ?? (least / 86_400).rounded(.up) * 86_400
    return stride(from: 0, through: seconds, by: step).map { moment in
      if moment == 0 { return (0, "0") }
      if step < 0.1 { return (moment, "\(Int((moment * 1000).rounded())) ms") }
      if step < 1 { return (moment, "\(moment.svg) s") }
      return (moment, moment < 60 ? "\(Int(moment.rounded())) s" : Duration.seconds(moment).short)
    }
  }
}

struct ValueScale {
  let most: Double
  private let top: Double
  private let bottom: Double

  /// The scale up to the next round number.
  init(upTo value: Double, _ top: Double, _ bottom: Double, isBinary: Bool = false) {
    (self.top, self.bottom) = (top, bottom)
    var unit = 1.0
    while isBinary, unit * 1024 <= value { unit *= 1024 }
    most = value > 0 ? Self.roundNumber(value / unit) * unit : 1
  }

  func y(_ value: Double) -> Double { bottom - min(max(value / most, 0), 1) * (bottom - top) }

  private static func roundNumber(_ value: Double) -> Double {
    var unit = 1.0
    while unit * 10 <= value { unit *= 10 }
    while unit > value { unit /= 10 }
    return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].first { $0 * unit >= value } ?? 10) * unit
  }
}
