internal import BulkSupport

/// Bands from bars of source entities at the left to bars of destination entities at the right.
struct BandPicture {
  /// A band with the rows of its two ends; one that has no end is a stump.
  struct Placed {
    let band: PlanBands.Band
    let thickness: Double
    var left: Row?
    var right: Row?
  }

  typealias Row = ClosedRange<Double>

  struct Bar {
    var name: String
    var rows: Int64
    var outcome: EntityOutcome
    var row: Row
  }

  private(set) var bands: [Placed]
  private var height = 0.0
  private static let width = 1080.0
  private static let lineHeight = 19.0
  private static let margin = 14.0
  private static let barWidth = 8.0
  private static let gap = 6.0
  private static let indent = 10.0
  private static let leftEdge = margin + barWidth
  private static let rightEdge = width - leftEdge

  /// A picture of bands that have at most so many objects, and so many pairs of join tables.
  init(_ bands: [PlanBands.Band], objects: Int64, pairs: Int64) {
    self.bands = bands.map { band in
      let (most, thickest) = band.outcome == .paired ? (pairs, 32.0) : (objects, 64.0)
      // The sum of several entities may be more than any has; a band with few rows can still be seen.
      let share = most > 0 ? min(Double(band.rows) / Double(most), 1) : 0
      return Placed(band: band, thickness: max(share * thickest, 2))
    }
    // Every band gets its row at the left, and the bands of a destination successive rows at the right.
    let filled = bands.indices.filter { bands[$0].destination != nil }
    let names = filled.compactMap { bands[$0].destination }
    let order = Dictionary(zip(names, filled), uniquingKeysWith: min)
    let sorted = filled.sorted {
      (order[bands[$0].destination ?? ""] ?? 0, $0)
        < (order[bands[$1].destination ?? ""] ?? 0, $1)
    }
    let ends = Dictionary(uniqueKeysWithValues: zip(filled, sorted))
    for index in bands.indices {
      let end = ends[index] ?? index
      let slot = [index, end].map { Self.slot(self.bands[$0].thickness) }.max() ?? 0
      let row = height...height + slot
      if bands[index].source != nil { self.bands[index].left = row }
      if ends[index] != nil { self.bands[end].right = row }
      height += slot + Self.gap
    }
  }

  private static func isThin(_ thickness: Double) -> Bool { thickness < lineHeight - 2 }

  private static func slot(_ thickness: Double) -> Double {
    thickness + 4 + (isThin(thickness) ? lineHeight : 0)
  }

  func bars(isSource: Bool) -> [Bar] {
    let named = Dictionary(grouping: bands) { isSource ? $0.band.source : $0.band.destination }
    return named.compactMap { name, own -> Bar? in
      let rows = own.compactMap { isSource ? $0.left : $0.right }
      let bands = own.map(\.band)
      guard let name, let top = rows.map(\.lowerBound).min(),
        let bottom = rows.map(\.upperBound).max(),
        let largest = bands.max(by: { $0.rows < $1.rows })
      else { return nil }
      return Bar(
        name: name,
        // Several mappings may read the same objects.
        rows: isSource ? bands.map(\.read).max() ?? 0 : bands.reduce(0) { $0 + $1.rows },
        outcome: largest.outcome,
        row: top...bottom
      )
    }
  }

  // MARK: Drawing

  func markup(_ title: String) -> Markup {
    // Wide bands lie below narrow ones, and texts above all.
    let ordered = bands.sorted { $0.thickness > $1.thickness }
    return .picture(
      title,
      width: Self.width,
      height: height,
      ordered.map(shape) + [true, false].flatMap(barShapes) + ordered.map(label)
    )
  }

  private func barShapes(isSource: Bool) -> [Markup] {
    bars(isSource: isSource).map { bar in
      let box = Markup.rectangle(
        x: isSource ? Self.margin : Self.rightEdge,
        y: bar.row.lowerBound,
        width: Self.barWidth,
        height: bar.row.upperBound - bar.row.lowerBound,
        radius: 3,
        "bar \(bar.outcome.rawValue)"
      )
      return .named("\(bar.name), \(bar.rows.grouped)", [box])
    }
  }

  private func shape(_ placed: Placed) -> Markup {
    guard let from = placed.left ?? placed.right, let to = placed.right ?? placed.left else {
      return .text("")
    }
    let stump = (Self.rightEdge - Self.leftEdge) / 5
    let left = placed.left == nil ? Self.rightEdge - stump : Self.leftEdge
    let right = placed.right == nil ? Self.leftEdge + stump : Self.rightEdge
    let path = Self.path(
      from: Point(left, Self.middle(placed, from)),
      to: Point(right, Self.middle(placed, to)),
      thickness: placed.thickness
    )
    let style = "band \(placed.band.outcome.rawValue)\(placed.band.rows == 0 ? " empty" : "")"
    return .named(placed.band.sentence, [.path(path, style)])
  }

  private static func path(from: Point, to: Point, thickness: Double) -> String {
    let (left, right, middle) = (from.x.svg, to.x.svg, ((from.x + to.x) / 2).svg)
    let (top, bottom) = ((from.y - thickness / 2).svg, (from.y + thickness / 2).svg)
    let (farTop, farBottom) = ((to.y - thickness / 2).svg, (to.y + thickness / 2).svg)
    return "M\(left) \(top)C\(middle) \(top) \(middle) \(farTop) \(right) \(farTop)"
      + "L\(right) \(farBottom)C\(middle) \(farBottom) \(middle) \(bottom) \(left) \(bottom)Z"
  }

  /// The height at which a band ends: below its label, or behind it.
  private static func middle(_ placed: Placed, _ row: Row) -> Double {
    isThin(placed.thickness)
      ? row.upperBound - 4 - placed.thickness / 2 : (row.lowerBound + row.upperBound) / 2
  }

  private func label(_ placed: Placed) -> Markup {
    guard let row = placed.left ?? placed.right else { return .text("") }
    let middle = Self.middle(placed, row)
    let isThin = Self.isThin(placed.thickness)
    return .line(
      x: Self.leftEdge + Self.indent,
      y: middle - (isThin ? placed.thickness / 2 + Self.lineHeight : Self.lineHeight / 2),
      width: Self.rightEdge - Self.leftEdge - 2 * Self.indent,
      height: Self.lineHeight,
      placed.left == nil ? "label end" : "label",
      Self.parts(placed.band)
    )
  }

  static func parts(_ band: PlanBands.Band) -> [Markup] {
    let parts = [
      Markup.tag("b", band.label), .tag("span", class: "count", ", \(band.rowsText)"),
    ]
    guard band.outcome == .made || band.outcome == .changed, let first = band.details.first else {
      return parts
    }
    let more = band.details.count > 1 ? " … and \(band.details.count - 1) more" : ""
    return parts + [.tag("span", class: "change", "\(first)\(more)")]
  }
}
