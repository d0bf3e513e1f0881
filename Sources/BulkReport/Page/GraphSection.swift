internal import BulkCoding

/// What becomes of which entity: the plan as a graph, and as a table.
struct GraphSection {
  private let graph: PlanGraph
  private let facts: ReportFacts
  private let rows: Int

  init(_ facts: ReportFacts, rows: Int) {
    self.facts = facts
    self.rows = rows
    graph = PlanGraph(facts)
  }

  var markup: [Markup] {
    guard !graph.lanes.isEmpty else { return [] }
    return [
      .section(
        "What becomes of what",
        [
          .tag(
            "p",
            [:],
            "Entities of the source on the left, those of the destination on the right. A band is as wide as "
              + "it has objects."
          ),
          legend,
        ] + figure + [.details("As a table", [table.cut(to: max(rows, 100)).markup])]
      )
    ]
  }

  /// Beyond that many bands the table alone is clearer, and the page smaller.
  private static let mostBands = 400

  private var figure: [Markup] {
    let count = graph.lanes.reduce(0) { $0 + $1.bands.count }
    guard count <= Self.mostBands else {
      return [.tag("p", [:], "There are \(Int64(count).grouped), too many for a picture.")]
    }
    return [
      .figure(
        wide: GraphPicture(graph, .wide).picture,
        narrow: GraphPicture(graph, .narrow).picture
      )
    ]
  }

  private var legend: Markup {
    .tag(
      "ul",
      ["class": "legend"],
      graph.fates.map { fate in
        .tag("li", [:], [.tag("span", ["class": "swatch \(fate.rawValue)"]), .text(fate.word)])
      }
    )
  }

  private var table: PageTable {
    var table = PageTable(
      caption: "What becomes of which entity",
      columns: [
        .words("Source"), .words("Destination"), .words("What"), .numbers("Objects"),
        .words("Pass"),
        .words("Changes"),
      ]
    )
    for lane in graph.lanes {
      for band in lane.bands.sorted(by: { $0.fate.isLoss && !$1.fate.isLoss }) {
        table.rows.append([
          band.source ?? "–", band.destination ?? "–", band.fate.word,
          "\(band.isUpperBound ? "at most " : "")\(band.rows.grouped)", lane.title,
          band.details.joined(separator: "; "),
        ])
      }
    }
    return table
  }
}
