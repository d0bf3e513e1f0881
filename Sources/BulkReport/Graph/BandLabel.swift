internal import BulkCoding

/// The label of a band, *Source → Destination, rows*, cut so that it fits.
struct BandLabel {
  /// The names, and behind them the rows.
  let parts: [Shape.TextPart]
  /// The estimated width, in pixels.
  let width: Double

  init(_ band: PlanGraph.Band, size: Double, in room: Double) {
    let rows = Self.rows(of: band)
    let all = Self.names(of: band)
    let arrows = TextWidth.bold(Self.arrow, size: size) * Double(all.count - 1)
    let space = room - TextWidth.of(rows, size: size) - arrows
    // A short name leaves its room to the other.
    let widths = all.map { TextWidth.bold($0, size: size) }
    let short = widths.filter { $0 <= space / Double(all.count) }
    let share = (space - short.reduce(0, +)) / Double(max(all.count - short.count, 1))
    let names = zip(all, widths).map { name, width in
      width <= space / Double(all.count)
        ? name : TextWidth.fitting(name, size: size * TextWidth.boldness, in: share)
    }
    let name = names.joined(separator: Self.arrow)
    parts = [
      Shape.TextPart(text: name, style: "name"), Shape.TextPart(text: rows, style: "count"),
    ]
    width = TextWidth.bold(name, size: size) + TextWidth.of(rows, size: size)
  }

  private static let arrow = " → "

  private static func names(of band: PlanGraph.Band) -> [String] {
    if band.folded > 1 { return ["\(band.folded) entities"] }
    if band.fate == .paired { return ["Pairs of join tables"] }
    return [band.source, band.destination].compactMap(\.self)
  }

  private static func rows(of band: PlanGraph.Band) -> String {
    let most = band.isUpperBound ? "at most " : ""
    let fate =
      band.folded > 1
      ? " copied or without objects"
      : band.fate.isLoss || band.fate == .added ? " \(band.fate.word)" : ""
    return ", \(most)\(band.rows.grouped)\(fate)"
  }
}
