internal import BulkCoding

/// The layout of a lane: entities in two columns, those that belong together face to face, and the
/// bands between them.
struct LaneLayout {
  /// An entity of the source or of the destination.
  struct Node: Hashable {
    var name: String
    var isSource: Bool
    var rows: Int64
    var top: Double
    var height: Double

    var middle: Double { top + height / 2 }
  }

  /// A band with the middles of its two ends; one that has no end ends between the columns.
  struct PlacedBand {
    var band: PlanGraph.Band
    var thickness: Double
    /// The height of its place at either side.
    var slot: Double
    var left: Double?
    var right: Double?
  }

  private(set) var nodes: [Node] = []
  private(set) var bands: [PlacedBand] = []
  /// The height of the columns.
  private(set) var height = 0.0

  /// Lays out a lane; so many rows are drawn the thickest.
  init(_ lane: PlanGraph.Lane, _ form: GraphForm, mostRows: Int64) {
    bands = Self.sorted(lane.bands).map { band in
      let share = mostRows > 0 ? Double(band.rows) / Double(mostRows) : 0
      let thickness = max(share * form.thickest, GraphForm.thinnest)
      return PlacedBand(band: band, thickness: thickness, slot: max(form.slot, thickness + 8))
    }
    let right = place(names(\.destination), isSource: false) { $0.destination }
    let left = place(sources(), isSource: true) { $0.source }
    height = max(left, right)
    center(isSource: true, by: (height - left) / 2)
    center(isSource: false, by: (height - right) / 2)
  }

  /// Whether objects have no place in the destination.
  var hasLosses: Bool { bands.contains { $0.band.fate.isLoss } }

  /// Losses and what is made are above, what is only copied below; the largest first.
  private static func sorted(_ bands: [PlanGraph.Band]) -> [PlanGraph.Band] {
    bands.sorted { one, two in
      let (first, second) = (one.fate.rank, two.fate.rank)
      if first != second { return first < second }
      if one.rows != two.rows { return one.rows > two.rows }
      return (one.destination ?? one.source ?? "") < (two.destination ?? two.source ?? "")
    }
  }

  /// The names at one side, in the order of the bands.
  private func names(_ side: (PlanGraph.Band) -> String?) -> [String] {
    var seen: Set<String> = []
    return bands.compactMap { side($0.band) }.filter { seen.insert($0).inserted }
  }

  /// The source entities, each near the entities made of it.
  private func sources() -> [String] {
    let order = names(\.source)
    let weights = order.enumerated().map { index, name -> (name: String, weight: Double) in
      let ends = bands.filter { $0.band.source == name }.compactMap(\.right)
      guard !ends.isEmpty else { return (name, -1 + Double(index) / Double(order.count)) }
      return (name, ends.reduce(0, +) / Double(ends.count))
    }
    return weights.enumerated().sorted {
      ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset)
    }.map(\.element.name)
  }

  /// Stacks the entities of one side, and the ends of their bands within each.
  private mutating func place(
    _ names: [String],
    isSource: Bool,
    _ side: (PlanGraph.Band) -> String?
  ) -> Double {
    var top = 0.0
    for name in names {
      let own = bands.indices.filter { side(bands[$0].band) == name }
        .sorted { (bands[$0].right ?? .infinity, $0) < (bands[$1].right ?? .infinity, $1) }
      var end = top
      for index in own {
        let middle = end + bands[index].slot / 2
        if isSource { bands[index].left = middle } else { bands[index].right = middle }
        end += bands[index].slot
      }
      let rows = own.map { bands[$0].band }
      nodes.append(
        Node(
          name: name,
          isSource: isSource,
          // Several mappings may read the same objects.
          rows: isSource ? rows.map(\.read).max() ?? 0 : rows.reduce(0) { $0 + $1.rows },
          top: top,
          height: end - top
        )
      )
      top = end + GraphForm.gap
    }
    return max(top - GraphForm.gap, 0)
  }

  private mutating func center(isSource: Bool, by distance: Double) {
    for index in nodes.indices where nodes[index].isSource == isSource {
      nodes[index].top += distance
    }
    for index in bands.indices {
      if isSource { bands[index].left? += distance } else { bands[index].right? += distance }
    }
  }
}

extension Fate {
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The measures of a graph on a page, in pixels.
struct GraphForm {
  var width: Double
  /// The width of the labels at either side.
  var labelWidth: Double
  var fontSize: Double
  /// The height of the place of a thin band.
  var slot: Double
  /// The height of the band with the most rows.
  var thickest: Double
  /// Whether the number of objects is on a line of its own.
  var isStacked: Bool
  /// Whether bands say what changes.
  var hasCaptions: Bool

  /// The form for a screen or a sheet of paper.
  static let wide = GraphForm(
    width: 1080,
    labelWidth: 270,
    fontSize: 13,
    slot: 24,
    thickest: 64,
    isStacked: false,
    hasCaptions: true
  )

  /// The form for a telephone.
  static let narrow = GraphForm(
    width: 360,
    labelWidth: 118,
    fontSize: 12,
    slot: 36,
    thickest: 56,
    isStacked: true,
    hasCaptions: false
  )

  /// The space between the edge of a lane and what is in it.
  static let margin = 14.0
  /// The height of the title of a lane.
  var title: Double { isStacked ? 50 : 40 }
  /// The width of the bar of an entity.
  static let bar = 8.0
  /// The space between two entities.
  static let gap = 6.0
  /// The space between two lanes.
  static let laneGap = 14.0
  /// The thickness of a band with few rows, which is to be seen still.
  static let thinnest = 2.0
}

extension GraphForm {
  /// The form with labels no wider than those of a graph.
  func fitted(to graph: PlanGraph) -> GraphForm {
    let widths = graph.lanes.flatMap(\.bands).flatMap { band -> [Double] in
      let rows = TextWidth.of(band.rows.grouped, size: fontSize) + Self.gap
      return [band.source, band.destination].compactMap(\.self).map { name in
        let name = TextWidth.of(name, size: fontSize)
        return isStacked ? max(name, rows) : name + rows + 2 * Self.gap
      }
    }
    var form = self
    // A sum of rows may be wider than each of them.
    form.labelWidth = min((widths.max() ?? 0) + 2 * Self.margin + 24, labelWidth)
    return form
  }
}
