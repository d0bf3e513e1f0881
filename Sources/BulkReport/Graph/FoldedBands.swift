internal import BulkCoding

extension PlanGraph {
  /// The number of bands of a lane above which those that tell nothing are one.
  private static let foldLimit = 20

  /// The graph as a picture shows it: of a lane with many entities, those that are only copied, or have no objects, are
  /// one band.
  var folded: PlanGraph {
    var graph = self
    for index in lanes.indices where lanes[index].bands.count > Self.foldLimit {
      let bands = lanes[index].bands
      graph.lanes[index].bands =
        bands.filter { !$0.isQuiet } + Self.fold(bands.filter(\.isQuiet))
    }
    return graph
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
        details: ["copied or without objects: \(bands.compactMap(\.name).joined(separator: ", "))"]
      )
    ]
  }
}

extension PlanGraph.Band {
  /// Whether nothing becomes of its objects that is worth a look.
  fileprivate var isQuiet: Bool { fate == .copied || rows == 0 && read == 0 }

  fileprivate var name: String? { destination ?? source }
}
