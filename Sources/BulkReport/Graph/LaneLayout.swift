internal import BulkCoding

/// The layout of a lane: a row for each band, entities as bars over the rows of their bands.
struct LaneLayout {
  /// An entity of the source or of the destination.
  struct Node: Hashable {
    var name: String
    var isSource: Bool
    var rows: Int64
    /// The fate of most of its objects.
    var fate: Fate
    var top: Double
    var height: Double
  }

  /// A band with the rows of its two ends; one that has no end ends between the columns.
  struct PlacedBand {
    var band: PlanGraph.Band
    var thickness: Double
    var left: Row?
    var right: Row?
  }

  /// A row of the lane, from its top downwards.
  struct Row: Hashable {
    var top: Double
    var height: Double
  }

  private(set) var nodes: [Node] = []
  private(set) var bands: [PlacedBand] = []
  /// The height of all rows.
  private(set) var height = 0.0

  init(_ lane: PlanGraph.Lane, _ scale: BandScale) {
    bands = lane.bands.levelled.map { PlacedBand(band: $0, thickness: scale.thickness(of: $0)) }
    place()
    nodes = nodes(isSource: true, \.left, \.source) + nodes(isSource: false, \.right, \.destination)
  }

  /// Gives every band its row at the left, and the bands of a destination successive rows at the right.
  private mutating func place() {
    let filled = bands.indices.filter { bands[$0].band.destination != nil }
    let names = filled.compactMap { bands[$0].band.destination }
    let order = Dictionary(zip(names, filled), uniquingKeysWith: min)
    let ends = filled.sorted {
      (order[bands[$0].band.destination ?? ""] ?? 0, $0)
        < (order[bands[$1].band.destination ?? ""] ?? 0, $1)
    }
    let endings = Dictionary(uniqueKeysWithValues: zip(filled, ends))
    for index in bands.indices {
      let end = endings[index] ?? index
      let slot = max(GraphForm.slot(bands[index].thickness), GraphForm.slot(bands[end].thickness))
      let row = Row(top: height, height: slot)
      if bands[index].band.source != nil { bands[index].left = row }
      if endings[index] != nil { bands[end].right = row }
      height += slot + GraphForm.gap
    }
    height = max(height - GraphForm.gap, 0)
  }

  /// The entities of one side, each over the rows of its bands.
  private func nodes(
    isSource: Bool,
    _ end: (PlacedBand) -> Row?,
    _ name: (PlanGraph.Band) -> String?
  ) -> [Node] {
    let named = bands.compactMap { placed in name(placed.band).map { ($0, placed) } }
    let nodes = Dictionary(grouping: named, by: \.0).compactMap { name, own -> Node? in
      let (rows, bands) = (own.compactMap { end($0.1) }, own.map(\.1.band))
      guard let top = rows.map(\.top).min(), let bottom = rows.map({ $0.top + $0.height }).max(),
        let largest = bands.max(by: { $0.rows < $1.rows })
      else { return nil }
      return Node(
        name: name,
        isSource: isSource,
        // Several mappings may read the same objects.
        rows: isSource ? bands.map(\.read).max() ?? 0 : bands.reduce(0) { $0 + $1.rows },
        fate: largest.fate,
        top: top,
        height: bottom - top
      )
    }
    return nodes.sorted { $0.top < $1.top }
  }
}

/// How thick bands are: objects and pairs of join tables have a scale each.
struct BandScale {
  /// The largest number of objects in a band.
  let mostObjects: Int64
  /// The largest number of pairs in a band.
  let mostPairs: Int64

  /// The thickness of a band, in pixels; one with few rows can still be seen.
  func thickness(of band: PlanGraph.Band) -> Double {
    let isOfPairs = band.fate == .paired
    let (most, thickest) =
      isOfPairs ? (mostPairs, GraphForm.thickestPairs) : (mostObjects, GraphForm.thickest)
    // The sum of several entities may be more than any has.
    let share = most > 0 ? min(Double(band.rows) / Double(most), 1) : 0
    return max(share * thickest, GraphForm.thinnest)
  }
}

/// The measures of a graph on a page, in pixels.
enum GraphForm {
  static let width = 1080.0
  static let fontSize = 13.0
  /// The thickness of the band with the most objects.
  static let thickest = 64.0
  /// The thickness of the band with the most pairs.
  static let thickestPairs = 32.0
  /// The space between the edge of a lane and its contents.
  static let margin = 14.0
  /// The radius of the corners of a lane, by which the style sheet draws its parts over each other.
  static let radius = 10.0
  /// The height of the title of a lane.
  static let title = 40.0
  /// The width of the bar of an entity.
  static let bar = 8.0
  /// The space between two rows.
  static let gap = 6.0
  /// The thickness of a band with few rows.
  static let thinnest = 2.0

  /// Whether the label of a band is above it, not on it.
  static func isThin(_ thickness: Double) -> Bool { thickness < fontSize + 4 }

  /// The height of the row of a band with its label.
  static func slot(_ thickness: Double) -> Double {
    isThin(thickness) ? fontSize + 6 + thickness + 4 : thickness + 4
  }
}
