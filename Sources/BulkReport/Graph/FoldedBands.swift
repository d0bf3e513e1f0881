internal import BulkCoding

extension PlanGraph {
  /// The number of bands of a lane above which those that tell nothing are one.
  private static let foldLimit = 20

  /// The graph as a picture shows it: many passes of one entity each are one lane; of a lane with many entities, those
  /// that are only copied, or have no objects, are one band.
  var folded: PlanGraph {
    var graph = self
    graph.lanes = joined.map { lane in
      var lane = lane
      let bands = lane.bands
      if bands.count > Self.foldLimit {
        lane.bands = bands.filter { !$0.isQuiet } + Self.fold(bands.filter(\.isQuiet))
      }
      return lane
    }
    return graph
  }

  private var joined: [Lane] {
    let single = lanes.filter { $0.bands.count == 1 }
    guard single.count > Self.foldLimit else { return lanes }
    let title = "\(single.count) passes of one entity each"
    return [Lane(title: title, note: "", bands: single.flatMap(\.bands))]
      + lanes.filter { $0.bands.count > 1 }
  }

  private static func fold(_ bands: [Band]) -> [Band] {
    guard bands.count > 1 else { return bands }
    let name = "\(bands.count) entities"
    return [
      Band(
        source: name,
        destination: name,
        fate: .copied,
        read: bands.reduce(0) { $0 + $1.read },
        rows: bands.reduce(0) { $0 + $1.rows },
        isUpperBound: bands.contains(where: \.isUpperBound),
        details: ["copied or without objects: \(bands.compactMap(\.name).joined(separator: ", "))"],
        folded: bands.count
      )
    ]
  }
}

extension PlanGraph.Lane {
  /// The number of bands of a part, which even at their widest take less than half a sheet of paper.
  private static let partLimit = 8

  /// The lane as pictures between which a printer may begin another sheet.
  var parts: [Self] {
    let bands = bands.levelled
    return stride(from: 0, to: bands.count, by: Self.partLimit).map { start in
      var part = self
      part.bands = Array(bands[start..<min(start + Self.partLimit, bands.count)])
      part.isContinued = start > 0
      return part
    }
  }
}

extension PlanGraph.Band {
  /// Whether nothing becomes of its objects that is worth a look.
  fileprivate var isQuiet: Bool { fate == .copied || rows == 0 && read == 0 }

  var name: String? { destination ?? source }
}
