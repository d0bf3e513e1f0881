internal import BulkCoding
internal import BulkExecute

/// The course of a run: stages, memory against its limit, rows and bytes a second, on one axis of
/// time; a line through all of them where it was interrupted.
struct CoursePicture {
  let record: MeasureRecord
  /// The passes by name.
  let passes: [String]
  /// The number of steps that are done one by one.
  let steps: Int

  private var time: TimeScale {
    TimeScale(
      seconds: record.seconds,
      left: CourseForm.left,
      right: CourseForm.width - CourseForm.right
    )
  }

  var picture: Picture {
    var shapes: [Shape] = []
    var top = 0.0
    for panel in panels {
      let frame = Rectangle(
        x: time.left,
        y: top + CourseForm.title,
        width: time.right - time.left,
        height: panel.height
      )
      let y = top + CourseForm.title - 18
      shapes.append(.text(panel.title, at: Point(0, y), style: "panel-title"))
      shapes += legend(panel.legend, y: y)
      shapes += panel.draw(frame) + interruptions(in: frame)
      top += CourseForm.title + panel.height
    }
    shapes += axis(at: top) + marks(at: top)
    return Picture(
      title: "Stages, memory, rows and bytes over time; the table below has the numbers",
      width: CourseForm.width,
      height: top + CourseForm.axis,
      shapes: shapes
    )
  }

  // MARK: Panels

  private struct Panel {
    var title: String
    var height: Double
    /// The words of the legend, each with the class of its line.
    var legend: [(word: String, style: String)] = []
    var draw: (Rectangle) -> [Shape]
  }

  private var panels: [Panel] {
    var panels = [
      Panel(title: "What was done", height: CourseForm.strip, draw: strip),
      Panel(
        title: "Memory of the process",
        height: CourseForm.memory,
        legend: [("limit", "limit-line"), ("held", "memory-line")],
        draw: memory
      ),
      Panel(title: "Rows a second", height: CourseForm.panel) { frame in
        rates([("rows", { $0.rows })], frame) { Int64($0).grouped }
      },
    ]
    guard record.samples.contains(where: { $0.bytesRead > 0 || $0.bytesWritten > 0 }) else {
      return panels
    }
    panels.append(
      Panel(
        title: "Bytes a second",
        height: CourseForm.panel,
        legend: [("written", "written-line"), ("read", "read-line")]
      ) { frame in
        rates(
          [("read", { $0.bytesRead }), ("written", { $0.bytesWritten })],
          frame,
          isBinary: true
        ) {
          "\(ByteCount(bytes: Int64($0)))"
        }
      }
    )
    return panels
  }

  /// The legend of a panel, from the right edge to the left.
  private func legend(_ words: [(word: String, style: String)], y: Double) -> [Shape] {
    var x = time.right
    return words.flatMap { word, style -> [Shape] in
      let width = TextWidth.of(word, size: CourseForm.fontSize - 1)
      defer { x -= width + 38 }
      return [
        .text(word, at: Point(x, y), .end, style: "tick"),
        .line([Point(x - width - 24, y - 4), Point(x - width - 6, y - 4)], style: style),
      ]
    }
  }

  private func strip(_ frame: Rectangle) -> [Shape] {
    let spans = StageSpan.all(of: record)
    return spans.flatMap { span -> [Shape] in
      let (left, right) = (time.x(span.from), time.x(span.to))
      let name = span.name(passes: passes, steps: steps)
      let box = Rectangle(x: left, y: frame.y, width: max(right - left, 1), height: frame.height)
      let sentence = "\(name): \(Duration.seconds(span.to - span.from).short)"
      var shapes: [Shape] = [.rectangle(box, radius: 3, style: span.style)]
      if TextWidth.of(name, size: CourseForm.fontSize - 1) + 12 <= right - left {
        let point = Point(left + 6, frame.y + frame.height / 2 + 4.5)
        shapes.append(.text(name, at: point, style: "span-name"))
      }
      return [.named(sentence, shapes)]
    }
  }

  private func memory(_ frame: Rectangle) -> [Shape] {
    let limits = record.attempts.map(\.memoryLimit)
    let most = max(limits.max() ?? 0, record.peakMemory?.bytes ?? 0)
    let scale = ValueScale(
      upTo: Double(most) * 1.04,
      top: frame.y,
      bottom: frame.y + frame.height,
      isBinary: true
    )
    let points = record.samples.filter { $0.memoryBytes > 0 }.map {
      Point(time.x($0.seconds), scale.y(Double($0.memoryBytes)))
    }
    var shapes = grid(scale, frame) { "\(ByteCount(bytes: Int64($0)))" }
    if let first = points.first, let last = points.last {
      let base = frame.y + frame.height
      let area = [Point(first.x, base)] + points + [Point(last.x, base)]
      shapes.append(.area(area, style: "memory-area"))
      shapes.append(.line(points, style: "memory-line"))
    }
    shapes += limit(scale)
    return shapes + peak(scale, frame)
  }

  private func limit(_ scale: ValueScale) -> [Shape] {
    record.attempts.enumerated().map { index, attempt in
      let isLast = index + 1 == record.attempts.count
      let end = isLast ? record.seconds : record.attempts[index + 1].from
      let y = scale.y(Double(attempt.memoryLimit))
      let name = "limit \(ByteCount(bytes: attempt.memoryLimit))"
      return .named(
        name,
        [.line([Point(time.x(attempt.from), y), Point(time.x(end), y)], style: "limit-line")]
      )
    }
  }

  /// The peak of the memory, where the samples have their highest.
  private func peak(_ scale: ValueScale, _ frame: Rectangle) -> [Shape] {
    guard let highest = record.samples.max(by: { $0.memoryBytes < $1.memoryBytes }),
      let peak = record.peakMemory
    else { return [] }
    let point = Point(time.x(highest.seconds), scale.y(Double(peak.bytes)))
    let isLate = point.x > (time.left + time.right) / 2
    let bottom = frame.y + frame.height - 6
    let place = Point(point.x + (isLate ? -8 : 8), min(point.y + 18, bottom))
    let dot = Rectangle(x: point.x - 3.5, y: point.y - 3.5, width: 7, height: 7)
    return [
      .rectangle(dot, radius: 3.5, style: "peak"),
      .text(
        "peak \(peak)",
        at: place,
        isLate ? .end : .start,
        style: "value"
      ),
    ]
  }

  private func rates(
    _ values: [(style: String, value: (MeasureRecord.Sample) -> Int64?)],
    _ frame: Rectangle,
    isBinary: Bool = false,
    _ text: (Double) -> String
  ) -> [Shape] {
    let bins = values.map { MeasureBins(record, count: CourseForm.slices, $0.value).rates }
    let most = bins.flatMap(\.self).max() ?? 0
    let base = frame.y + frame.height
    let scale = ValueScale(upTo: most, top: frame.y, bottom: base, isBinary: isBinary)
    var shapes = grid(scale, frame, text)
    for (rates, (style, _)) in zip(bins, values) {
      let points = steps(of: rates, scale)
      let area = [Point(time.left, base)] + points + [Point(time.right, base)]
      shapes.append(.area(area, style: "\(style)-area"))
      shapes.append(.line(points, style: "\(style)-line"))
    }
    return shapes
  }

  private func steps(of rates: [Double], _ scale: ValueScale) -> [Point] {
    let width = (time.right - time.left) / Double(rates.count)
    return rates.enumerated().flatMap { index, rate in
      let (left, y) = (time.left + Double(index) * width, scale.y(rate))
      return [Point(left, y), Point(left + width, y)]
    }
  }

  /// Lines at nothing, half and all of a scale, with their values.
  private func grid(
    _ scale: ValueScale,
    _ frame: Rectangle,
    _ text: (Double) -> String
  ) -> [Shape] {
    [0, 0.5, 1].flatMap { share -> [Shape] in
      let value = scale.most * share
      let y = scale.y(value)
      return [
        .line([Point(time.left, y), Point(time.right, y)], style: "grid"),
        .text(
          share == 0 ? "0" : text(value),
          at: Point(time.left - 8, y + 4.5),
          .end,
          style: "tick"
        ),
      ]
    }
  }

  // MARK: Time

  private func axis(at y: Double) -> [Shape] {
    time.ticks(about: CourseForm.ticks).flatMap { moment, name -> [Shape] in
      let x = time.x(moment)
      let width = TextWidth.of(name, size: CourseForm.fontSize - 1)
      // The first and the last name end where the picture does.
      let place = min(max(x, width / 2), CourseForm.width - width / 2)
      return [
        .line([Point(x, y), Point(x, y + 5)], style: "grid"),
        .text(name, at: Point(place, y + 19), .middle, style: "tick"),
      ]
    }
  }

  /// A line through a panel where an attempt was interrupted.
  private func interruptions(in frame: Rectangle) -> [Shape] {
    record.attempts.dropFirst().map { attempt in
      let x = time.x(attempt.from)
      let ends = [Point(x, frame.y), Point(x, frame.y + frame.height)]
      return .line(ends, style: "interruption")
    }
  }

  /// The numbers of the interruptions, under their lines.
  private func marks(at y: Double) -> [Shape] {
    record.attempts.dropFirst().enumerated().map { index, attempt in
      let x = time.x(attempt.from)
      let moment = Duration.seconds(attempt.from).short
      return .named(
        "interrupted at \(moment), then resumed",
        [
          .rectangle(
            Rectangle(x: x - 8, y: y - 9, width: 16, height: 16),
            radius: 8,
            style: "mark"
          ),
          .text("\(index + 1)", at: Point(x, y + 3.5), .middle, style: "mark-name"),
        ]
      )
    }
  }
}

/// The measures of the picture of a run, in pixels.
private enum CourseForm {
  static let width = 1080.0
  static let fontSize = 13.0
  /// The space at the left, for the names of values.
  static let left = 84.0
  /// The number of slices in which rates are drawn.
  static let slices = 120
  /// The number of moments that are named on the axis of time.
  static let ticks = 10
  /// The space at the right.
  static let right = 16.0
  /// The height of the strip of stages.
  static let strip = 26.0
  /// The space above a panel, for its title.
  static let title = 44.0
  /// The space below the last panel, for the names of moments.
  static let axis = 26.0
  /// The height of the panel of memory.
  static let memory = 150.0
  /// The height of any other panel.
  static let panel = 92.0
}
