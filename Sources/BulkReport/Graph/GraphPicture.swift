internal import BulkCoding

/// A lane of a graph as a picture: a band for each mapping of an entity, from the source at the left to the destination
/// at the right.
struct GraphPicture {
  private let lane: PlanGraph.Lane
  private let layout: LaneLayout

  init(_ lane: PlanGraph.Lane, _ scale: BandScale) {
    self.lane = lane
    layout = LaneLayout(lane, scale)
  }

  var picture: Picture {
    let height = top + layout.height + GraphForm.margin
    let part = lane.isContinued ? ", continued" : ""
    return Picture(
      title: "\(lane.title)\(part), as bands; the table below has the same content",
      width: GraphForm.width,
      height: height,
      shapes: frame(height: height) + contents
    )
  }

  private var top: Double { lane.isContinued ? GraphForm.gap : GraphForm.title }

  private func frame(height: Double) -> [Shape] {
    let frame = Rectangle(x: 0, y: 0, width: GraphForm.width, height: height)
    return [.rectangle(frame, radius: GraphForm.radius, style: "lane")]
      + (lane.isContinued ? [] : titles)
  }

  private var titles: [Shape] {
    let x = GraphForm.margin
    let room = GraphForm.width - 2 * x
    let size = GraphForm.fontSize
    let title = TextWidth.fitting(lane.title, size: (size + 1) * TextWidth.boldness, in: room / 2)
    let rest = room - TextWidth.bold(title, size: size + 1) - 24
    let note = TextWidth.fitting(lane.note, size: size - 1, in: rest)
    return [
      .named(lane.title, [.text(title, at: Point(x, 24), style: "lane-title")]),
      .text(note, at: Point(GraphForm.width - x, 24), .end, style: "lane-note"),
    ]
  }

  // MARK: Bands

  /// The right edge of the bars of source entities.
  private let leftEdge = GraphForm.margin + GraphForm.bar
  /// The left edge of the bars of destination entities.
  private var rightEdge: Double { GraphForm.width - GraphForm.margin - GraphForm.bar }
  private var room: Double { rightEdge - leftEdge }

  private var contents: [Shape] {
    // Wide bands lie below narrow ones, and texts above all.
    let ordered = layout.bands.sorted { $0.thickness > $1.thickness }
    return ordered.map(band) + layout.nodes.map(bar) + ordered.flatMap(texts)
  }

  private func band(_ placed: LaneLayout.PlacedBand) -> Shape {
    let half = placed.thickness / 2
    func edge(_ x: Double, _ row: LaneLayout.Row) -> Shape.Edge {
      let middle = middle(of: placed, in: row)
      return Shape.Edge(x: x, top: middle - half, bottom: middle + half)
    }
    // A band without an end is a stump at the side that it has.
    let left = placed.left.map { edge(leftEdge, $0) }
    let right = placed.right.map { edge(rightEdge, $0) }
    let stump = room * Self.stump
    let shape: Shape =
      switch (left, right) {
      case (let left?, let right?): .band(from: left, to: right, style: style(placed.band))
      case (let left?, nil):
        .band(from: left, to: left.moved(by: stump), style: style(placed.band))
      case (nil, let right?):
        .band(from: right.moved(by: -stump), to: right, style: style(placed.band))
      case (nil, nil): .line([], style: "band")
      }
    return .named(Self.sentence(placed.band), [shape])
  }

  /// The height at which a band ends: below its label, or behind it.
  private func middle(of placed: LaneLayout.PlacedBand, in row: LaneLayout.Row) -> Double {
    let bottom = top + row.top + row.height
    return GraphForm.isThin(placed.thickness)
      ? bottom - 4 - placed.thickness / 2 : bottom - row.height / 2
  }

  private func style(_ band: PlanGraph.Band) -> String {
    "band \(band.fate.rawValue)\(band.rows == 0 ? " empty" : "")"
  }

  /// How far bands lead that have no place in the destination, or none in the source.
  private static let stump = 0.2

  /// The sentence in a band's tooltip.
  static func sentence(_ band: PlanGraph.Band) -> String {
    let rows = "\(band.isUpperBound ? "at most " : "")\(band.rows.grouped)"
    let names = [band.source, band.destination].compactMap(\.self)
    let details = band.details.isEmpty ? "" : ": " + band.details.joined(separator: "; ")
    return "\(names.joined(separator: " → ")), \(rows) \(band.fate.word)\(details)"
  }

  private func bar(_ node: LaneLayout.Node) -> Shape {
    let x = node.isSource ? GraphForm.margin : rightEdge
    let frame = Rectangle(
      x: x,
      y: top + node.top,
      width: GraphForm.bar,
      height: node.height
    )
    return .named(
      "\(node.name), \(node.rows.grouped)",
      [.rectangle(frame, radius: 3, style: "bar \(node.fate.rawValue)")]
    )
  }

  // MARK: Texts

  /// The label of a band at its beginning, and what changes at its end.
  private func texts(_ placed: LaneLayout.PlacedBand) -> [Shape] {
    let label = BandLabel(placed.band, size: GraphForm.fontSize, in: room - 2 * Self.indent)
    guard let left = placed.left else {
      return placed.right.map { [text(label.parts, of: placed, in: $0, .end)] } ?? []
    }
    let labelled = text(label.parts, of: placed, in: left, .start)
    let rest = room - label.width - 4 * Self.indent
    guard rest > 100, let right = placed.right,
      let caption = Self.caption(of: placed.band)
    else { return [labelled] }
    let fitting = TextWidth.fitting(caption, size: GraphForm.fontSize - 1.5, in: rest)
    let part = Shape.TextPart(text: fitting, style: "caption")
    return [labelled, text([part], of: placed, in: right, .end)]
  }

  private func text(
    _ parts: [Shape.TextPart],
    of placed: LaneLayout.PlacedBand,
    in row: LaneLayout.Row,
    _ anchor: Shape.Anchor
  ) -> Shape {
    let x = anchor == .start ? leftEdge + Self.indent : rightEdge - Self.indent
    let middle = middle(of: placed, in: row)
    let isThin = GraphForm.isThin(placed.thickness)
    let y = isThin ? middle - placed.thickness / 2 - 5 : middle + GraphForm.fontSize * 0.36
    return .text(parts, at: Point(x, y), anchor, style: "label")
  }

  /// The space between the end of a band and its text.
  private static let indent = 10.0

  private static func caption(of band: PlanGraph.Band) -> String? {
    guard band.fate == .made || band.fate == .changed, let first = band.details.first else {
      return nil
    }
    let more = band.details.count - 1
    return more > 0 ? "\(first) … and \(more) more" : first
  }
}

extension Shape.Edge {
  fileprivate func moved(by distance: Double) -> Self {
    Self(x: x + distance, top: top, bottom: bottom)
  }
}
