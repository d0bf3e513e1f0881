extension [PlanGraph.Band] {
  /// The bands from top to bottom, those of a source entity together.
  ///
  /// As many as possible run level: a source entity follows one with which it shares a destination, and begins with the
  /// bands of that one.
  var levelled: [PlanGraph.Band] {
    var rest = byWeight
    var result: [PlanGraph.Band] = []
    var reached: Set<String> = []
    while let first = rest.first {
      let next = rest.first { $0.destination.map(reached.contains) ?? false } ?? first
      let own = rest.filter { $0.isBeside(next) }
      rest.removeAll { $0.isBeside(next) }
      result += own.sorted { $0.place(reached) < $1.place(reached) }
      reached.formUnion(own.compactMap(\.destination))
    }
    return result
  }

  /// Losses and changes above, what is only copied below; the largest first.
  private var byWeight: [PlanGraph.Band] {
    sorted { ($0.fate.rank, $1.rows, $0.name ?? "") < ($1.fate.rank, $0.rows, $1.name ?? "") }
  }
}

extension PlanGraph.Band {
  /// Whether it belongs to the same source entity.
  fileprivate func isBeside(_ other: Self) -> Bool {
    source == nil ? self == other : source == other.source
  }

  /// The place among the bands of a source entity, below those of destinations that are reached.
  fileprivate func place(_ reached: Set<String>) -> Int {
    guard let destination else { return 3 }
    return reached.contains(destination) ? 0 : destination == source ? 1 : 2
  }
}

extension Fate {
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
