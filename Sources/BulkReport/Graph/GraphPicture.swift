internal import BulkCoding

/// The graph of a plan as a picture: lanes one below the other, each with its entities and bands.
struct GraphPicture {
  private let graph: PlanGraph
  private let form: GraphForm

  init(_ graph: PlanGraph, _ form: GraphForm) {
    self.graph = graph
    self.form = form.fitted(to: graph)
  }

  var picture: Picture {
    var shapes: [Shape] = []
    var top = 0.0
    for lane in graph.lanes {
      let layout = LaneLayout(lane, form, mostRows: graph.mostRows)
      let height = form.title + layout.height + GraphForm.margin
      shapes += frame(lane, top: top, height: height)
      shapes += contents(layout, top: top + form.title)
      top += height + GraphForm.laneGap
    }
    return Picture(
      title: "The plan as a graph; the table below it has the same content",
      width: form.width,
      height: max(top - GraphForm.laneGap, 1),
      shapes: shapes
    )
  }

  private func frame(_ lane: PlanGraph.Lane, top: Double, height: Double) -> [Shape] {
    let x = GraphForm.margin
    let room = form.width - 2 * x
    let size = form.fontSize
    let title = TextWidth.fitting(lane.title, size: size + 1, in: form.isStacked ? room : room / 2)
    let noteRoom = form.isStacked ? room : room - TextWidth.of(title, size: size + 1) - 24
    let note = TextWidth.fitting(lane.note, size: size - 1, in: noteRoom)
    return [
      .rectangle(
        Rectangle(x: 0, y: top, width: form.width, height: height),
        radius: 10,
        style: "lane"
      ),
      .named(lane.title, [.text(title, at: Point(x: x, y: top + 24), style: "lane-title")]),
      form.isStacked
        ? .text(note, at: Point(x: x, y: top + 41), style: "lane-note")
        : .text(note, at: Point(x: form.width - x, y: top + 24), .end, style: "lane-note"),
    ]
  }

  // MARK: Bands

  /// The right edge of the bars of source entities.
  private var leftEdge: Double { form.labelWidth + GraphForm.bar }
  /// The left edge of the bars of destination entities.
  private var rightEdge: Double { form.width - form.labelWidth - GraphForm.bar }

  private func contents(_ layout: LaneLayout, top: Double) -> [Shape] {
    // Wide bands lie below narrow ones, and texts above all.
    let ordered = layout.bands.sorted { $0.thickness > $1.thickness }
    return ordered.map { band($0, top: top) }
      + layout.nodes.flatMap { node($0, layout, top: top) }
      + ordered.compactMap { caption($0, top: top, beside: layout.hasLosses) }
  }

  private func band(_ placed: LaneLayout.PlacedBand, top: Double) -> Shape {
    let half = placed.thickness / 2
    func edge(_ x: Double, _ middle: Double) -> Shape.Edge {
      Shape.Edge(x: x, top: top + middle - half, bottom: top + middle + half)
    }
    let room = rightEdge - leftEdge
    let shape: Shape
    switch (placed.left, placed.right) {
    case (let left?, let right?):
      shape = .band(
        from: edge(leftEdge, left),
        to: edge(rightEdge, right),
        style: style(placed.band)
      )
    case (let left?, nil):
      let end = leftEdge + room * Self.endOfLoss
      shape = .band(from: edge(leftEdge, left), to: edge(end, left), style: style(placed.band))
    case (nil, let right?):
      let begin = rightEdge - room * Self.beginOfNew
      shape = .band(from: edge(begin, right), to: edge(rightEdge, right), style: style(placed.band))
    case (nil, nil):
      shape = .line([], style: "band")
    }
    return .named(Self.sentence(placed.band), [shape])
  }

  private func style(_ band: PlanGraph.Band) -> String {
    "band \(band.fate.rawValue)\(band.rows == 0 ? " empty" : "")"
  }

  /// Where bands of objects end that have no place in the destination.
  private static let endOfLoss = 0.22
  /// How long the band of a new entity is.
  private static let beginOfNew = 0.1

  /// The sentence in a band's tooltip.
  static func sentence(_ band: PlanGraph.Band) -> String {
    let rows = "\(band.isUpperBound ? "at most " : "")\(band.rows.grouped)"
    let names = [band.source, band.destination].compactMap(\.self)
    let details = band.details.isEmpty ? "" : ": " + band.details.joined(separator: "; ")
    return "\(names.joined(separator: " → ")), \(rows) \(band.fate.word)\(details)"
  }

  // MARK: Texts

  private func node(_ node: LaneLayout.Node, _ layout: LaneLayout, top: Double) -> [Shape] {
    let x = node.isSource ? form.labelWidth : rightEdge
    let bar = Shape.rectangle(
      Rectangle(x: x, y: top + node.top + 2, width: GraphForm.bar, height: node.height - 4),
      radius: 3,
      style: "bar \(fate(of: node, in: layout))"
    )
    return [.named("\(node.name), \(node.rows.grouped)", [bar] + label(node, top: top))]
  }

  /// The fate by which the bar of an entity is coloured; that of its largest band.
  private func fate(of node: LaneLayout.Node, in layout: LaneLayout) -> String {
    let own = layout.bands.map(\.band).filter {
      node.isSource ? $0.source == node.name : $0.destination == node.name
    }
    let all = Set(own.map(\.fate))
    if all.count == 1, let fate = all.first { return fate.rawValue }
    return (own.max { $0.rows < $1.rows }?.fate ?? .copied).rawValue
  }

  private func label(_ node: LaneLayout.Node, top: Double) -> [Shape] {
    let anchor: Shape.Anchor = node.isSource ? .end : .start
    let x = node.isSource ? form.labelWidth - 8 : form.width - form.labelWidth + 8
    let room = form.labelWidth - GraphForm.margin - 10
    let middle = top + node.middle
    let size = form.fontSize
    let rows = node.rows.grouped
    if form.isStacked {
      let name = TextWidth.fitting(node.name, size: size, in: room)
      return [
        .text(name, at: Point(x: x, y: middle - 2), anchor, style: "name"),
        .text(rows, at: Point(x: x, y: middle + size), anchor, style: "count"),
      ]
    }
    let width = TextWidth.of(rows, size: size) + 10
    let name = TextWidth.fitting(node.name, size: size, in: room - width)
    let parts = [
      Shape.TextPart(text: name, style: "name"),
      Shape.TextPart(text: "\u{2002}\(rows)", style: "count"),
    ]
    return [.text(parts, at: Point(x: x, y: middle + size * 0.36), anchor, style: "name")]
  }

  /// The caption of a band; those of losses begin at the left, and the others leave room for them.
  private func caption(
    _ placed: LaneLayout.PlacedBand,
    top: Double,
    beside hasLosses: Bool
  ) -> Shape? {
    guard form.hasCaptions, let text = Self.caption(of: placed.band) else { return nil }
    let size = form.fontSize - 1.5
    let room = rightEdge - leftEdge
    // Above a thin band, and within a thick one.
    let isThin = placed.thickness < 12 && placed.left != nil && placed.right != nil
    let base = top + (isThin ? -placed.thickness / 2 - 3 : size * 0.36)
    if let right = placed.right {
      let fitting = TextWidth.fitting(text, size: size, in: room * (hasLosses ? 0.42 : 0.62))
      let indent = placed.left == nil ? room * Self.beginOfNew + 8 : 12
      return .text(
        fitting,
        at: Point(x: rightEdge - indent, y: base + right),
        .end,
        style: "caption"
      )
    }
    guard let left = placed.left else { return nil }
    let x = leftEdge + room * Self.endOfLoss + 8
    let fitting = TextWidth.fitting(text, size: size, in: room * 0.3)
    return .text(
      fitting,
      at: Point(x: x, y: base + left),
      style: "caption \(placed.band.fate.rawValue)"
    )
  }

  private static func caption(of band: PlanGraph.Band) -> String? {
    switch band.fate {
    case .removed, .rejected, .leftOut: "\(band.rows.grouped) \(band.fate.word)"
    case .added: "new entity"
    case .made, .changed:
      band.details.first.map { first in
        let more = band.details.count - 1
        return more > 0 ? "\(first) … and \(more) more" : first
      } ?? band.fate.word
    case .copied: nil
    }
  }
}
