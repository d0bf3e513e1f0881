internal import BulkCoding

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
