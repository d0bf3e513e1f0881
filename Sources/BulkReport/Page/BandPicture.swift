internal import BulkCoding

/// Bands from bars of source entities at the left to bars of destination entities at the right.
struct BandPicture {
  /// A band with the rows of its two ends; one that has no end is a stump.
  struct Placed {
    let band: PlanBands.Band
    let thickness: Double
    var left: Row?
    var right: Row?
  }

  /// A row of the picture, from its top downwards.
  struct Row: Hashable {
    var top: Double
    var height: Double
  }

  /// An entity as a bar over the rows of its bands.
  struct Bar {
    var name: String
    var rows: Int64
    /// The outcome of most of its objects.
    var outcome: EntityOutcome
    var row: Row
  }

  private(set) var bands: [Placed]
  private var height = 0.0
  private static let width = 1080.0
  private static let lineHeight = 19.0
  private static let margin = 14.0
  private static let barWidth = 8.0
  /// The space between two rows.
  private static let gap = 6.0
  /// The space between the end of a band and its text.
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
    layOut()
  }

  /// Gives every band its row at the left, and the bands of a destination successive rows at the right.
  private mutating func layOut() {
    let filled = bands.indices.filter { bands[$0].band.destination != nil }
    let names = filled.compactMap { bands[$0].band.destination }
    let order = Dictionary(zip(names, filled), uniquingKeysWith: min)
    let sorted = filled.sorted {
      (order[bands[$0].band.destination ?? ""] ?? 0, $0)
        < (order[bands[$1].band.destination ?? ""] ?? 0, $1)
    }
    let ends = Dictionary(uniqueKeysWithValues: zip(filled, sorted))
    for index in bands.indices {
      let end = ends[index] ?? index
      let slot = max(Self.slot(bands[index].thickness), Self.slot(bands[end].thickness))
      let row = Row(top: height, height: slot)
      if bands[index].band.source != nil { bands[index].left = row }
      if ends[index] != nil { bands[end].right = row }
      height += slot + Self.gap
    }
  }

  /// Whether the label of a band is above it, not on it.
  private static func isThin(_ thickness: Double) -> Bool { thickness < lineHeight - 2 }

  /// The height of the row of a band with its label.
  private static func slot(_ thickness: Double) -> Double {
    thickness + 4 + (isThin(thickness) ? lineHeight : 0)
  }

  /// The entities of one side, each over the rows of its bands.
  func bars(isSource: Bool) -> [Bar] {
    let named = bands.compactMap { placed in
      (isSource ? placed.band.source : placed.band.destination).map { ($0, placed) }
    }
    return Dictionary(grouping: named, by: \.0).compactMap { name, own -> Bar? in
      let rows = own.compactMap { isSource ? $0.1.left : $0.1.right }
      let bands = own.map(\.1.band)
      guard let top = rows.map(\.top).min(), let bottom = rows.map({ $0.top + $0.height }).max(),
        let largest = bands.max(by: { $0.rows < $1.rows })
      else { return nil }
      return Bar(
        name: name,
        // Several mappings may read the same objects.
        rows: isSource ? bands.map(\.read).max() ?? 0 : bands.reduce(0) { $0 + $1.rows },
        outcome: largest.outcome,
        row: Row(top: top, height: bottom - top)
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
      .named(
        "\(bar.name), \(bar.rows.grouped)",
        [
          .rectangle(
            x: isSource ? Self.margin : Self.rightEdge,
            y: bar.row.top,
            width: Self.barWidth,
            height: bar.row.height,
            radius: 3,
            "bar \(bar.outcome.rawValue)"
          )
        ]
      )
    }
  }

  private func shape(_ placed: Placed) -> Markup {
    let stump = (Self.rightEdge - Self.leftEdge) / 5
    let from = placed.left ?? placed.right
    let to = placed.right ?? placed.left
    guard let from, let to else { return .text("") }
    let path = Self.path(
      from: Point(
        placed.left == nil ? Self.rightEdge - stump : Self.leftEdge,
        Self.middle(placed, from)
      ),
      to: Point(
        placed.right == nil ? Self.leftEdge + stump : Self.rightEdge,
        Self.middle(placed, to)
      ),
      thickness: placed.thickness
    )
    let empty = placed.band.rows == 0 ? " empty" : ""
    return .named(
      placed.band.sentence,
      [.path(path, "band \(placed.band.outcome.rawValue)\(empty)")]
    )
  }

  /// A band between two upright edges, with soft curves.
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
      ? row.top + row.height - 4 - placed.thickness / 2 : row.top + row.height / 2
  }

  /// The label of a band at its beginning: the names, the rows, and what changes where there is space.
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
