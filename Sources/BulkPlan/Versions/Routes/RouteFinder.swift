internal import BulkMapping

/// Finds the route from one version to another.
///
/// 1. A mapping from the one to the other is the route, as in Core Data.
/// 2. Otherwise, where no mapping lies between them, it is one inferred step if possible, as in Core Data.
/// 3. Otherwise it is the route of fewest steps over other versions, and of those the one with the most
///    mappings. A step is a mapping, or inferred from a version to a later one with no mapping between
///    them: a change that has a custom mapping is never inferred.
struct RouteFinder {
  let graph: RouteGraph
  /// The indexes of the two versions in the graph.
  let source: Int
  let destination: Int

  func steps() throws(PlanError) -> [StepFiles] {
    guard let path = try route() else { throw .noRoute(try missing()) }
    let pairs = zip(path, path.dropFirst()).map { RouteGraph.Pair(source: $0, destination: $1) }
    try refuseStaleMappings(pairs, path)
    return try pairs.map(step)
  }

  private var direct: RouteGraph.Pair {
    RouteGraph.Pair(source: source, destination: destination)
  }

  private func route() throws(PlanError) -> [Int]? {
    if graph.mappings[direct] != nil { return [source, destination] }
    if try isInferable(direct) { return [source, destination] }
    return try cheapestRoute()
  }

  /// Refuses to infer a step that has a custom mapping which cannot be used.
  private func refuseStaleMappings(
    _ pairs: [RouteGraph.Pair],
    _ path: [Int]
  ) throws(PlanError) {
    var lines: [String] = []
    var files: [String] = []
    for pair in pairs where graph.mappings[pair] == nil {
      for stale in graph.staleMappings(for: pair, on: path) where !files.contains(stale.path) {
        files.append(stale.path)
        lines.append(
          "\(stale.reason); without it \(graph.name(pair.source)) → \(graph.name(pair.destination)) would be "
            + "inferred, and what it carries would be lost"
        )
      }
    }
    guard !files.isEmpty else { return }
    throw .staleMappings(
      lines + [
        "correct \(files.count == 1 ? "the mapping" : "the mappings"), or pass "
          + "\(graph.names.ignoring(files)) to continue anyway"
      ]
    )
  }

  private func step(_ pair: RouteGraph.Pair) throws(PlanError) -> StepFiles {
    let mapping = try graph.mapping(pair)
    return StepFiles(
      source: try graph.nodes[pair.source].located(),
      destination: try graph.nodes[pair.destination].located(),
      file: mapping,
      warnings: mapping == nil ? try graph.losses(pair) + graph.unusedMappings(about: pair) : []
    )
  }

  private func isInferable(_ pair: RouteGraph.Pair) throws(PlanError) -> Bool {
    guard graph.infers, graph.mappingAcross(pair) == nil else { return false }
    return try graph.refusal(pair) == nil
  }

  /// The cheapest route by the versions' indexes, by Dijkstra's algorithm.
  private func cheapestRoute() throws(PlanError) -> [Int]? {
    var costs = [source: (steps: 0, inferred: 0)]
    var before: [Int: Int] = [:]
    var open: Set<Int> = [source]
    var done: Set<Int> = []
    func cost(_ node: Int) -> (steps: Int, inferred: Int) { costs[node] ?? (0, 0) }
    func precedes(_ one: Int, _ other: Int) -> Bool {
      (cost(one).steps, cost(one).inferred, one) < (cost(other).steps, cost(other).inferred, other)
    }
    while let next = open.min(by: precedes) {
      if next == destination { return indexes(before) }
      open.remove(next)
      done.insert(next)
      for (node, isMapped) in try neighbours(of: next) where !done.contains(node) {
        var cost = cost(next)
        cost.steps += 1
        cost.inferred += isMapped ? 0 : 1
        guard costs[node].map({ cost < $0 }) ?? true else { continue }
        costs[node] = cost
        before[node] = next
        open.insert(node)
      }
    }
    return nil
  }

  private func indexes(_ before: [Int: Int]) -> [Int] {
    var result = [destination]
    while let last = result.last, let previous = before[last] { result.append(previous) }
    return result.reversed()
  }

  private func neighbours(of node: Int) throws(PlanError) -> [(node: Int, isMapped: Bool)] {
    var result: [(node: Int, isMapped: Bool)] = []
    for other in graph.nodes.indices where other != node {
      let pair = RouteGraph.Pair(source: node, destination: other)
      if graph.mappings[pair] != nil {
        result.append((other, true))
      } else if isForward(pair), try isInferable(pair) {
        result.append((other, false))
      }
    }
    return result
  }

  /// Whether a pair leads to a later version, but not beyond the destination.
  private func isForward(_ pair: RouteGraph.Pair) -> Bool {
    guard graph.isOfLine(pair.source), graph.isOfLine(pair.destination) else { return false }
    let isWithin = pair.destination <= destination || !graph.isOfLine(destination)
    return pair.source < pair.destination && isWithin
  }

  /// The existing and the missing steps of the route, a line for each pair of neighbours.
  private func missing() throws(PlanError) -> [String] {
    let names = "from \(graph.name(source)) to \(graph.name(destination))"
    var lines = ["there is no route \(names):"]
    let pairs = neighbourPairs()
    for pair in pairs.isEmpty ? [direct] : pairs { lines += try description(pair) }
    return lines + graph.unusedMappings().map { "  \($0)" }
      + ["write a mapping for what is missing, and pass its folder with \(graph.names.mappings)"]
  }

  /// The neighbours in the order of versions between source and destination.
  private func neighbourPairs() -> [RouteGraph.Pair] {
    guard graph.isOfLine(source), graph.isOfLine(destination), source < destination else {
      return []
    }
    return (source..<destination).map { RouteGraph.Pair(source: $0, destination: $0 + 1) }
  }

  private func description(_ pair: RouteGraph.Pair) throws(PlanError) -> [String] {
    let names = "  \(graph.name(pair.source)) → \(graph.name(pair.destination)): "
    if let found = graph.mappings[pair]?.first { return [names + found.path] }
    if let across = graph.mappingAcross(pair) {
      return [names + "missing, and not inferred, because \(across.path) lies across it"]
    }
    guard graph.infers else { return [names + "missing, and nothing is inferred"] }
    guard let refusal = try graph.refusal(pair) else { return [names + "inferred"] }
    return [names + "missing, and cannot be inferred"]
      + refusal.refusals.map { refusal in
        let subject = [refusal.entity, refusal.property].compactMap(\.self).joined(separator: ".")
        return "      \(subject): \(refusal.reason)"
      }
  }
}
