/// A store and the store that Core Data's own migration made of it, with the models of both.
public struct OraclePair: Sendable {
  /// The store that was read, relative to ``SharedData/directory``, like all paths here.
  public let source: String
  /// The store that Core Data made.
  public let destination: String
  /// The source's model; `nil` where it is only in the store.
  public let sourceModel: String?
  /// The destination's model.
  public let destinationModel: String
  /// The number of the chain of which the pair is a link.
  public let chain: Int

  /// All pairs, chain by chain.
  public static let all: [OraclePair] = SharedData.table("oracle-pairs.tsv").map { row in
    OraclePair(
      source: row["source_store"] ?? "",
      destination: row["destination_store"] ?? "",
      sourceModel: row["source_model"].flatMap { $0 == "-" ? nil : $0 },
      destinationModel: row["destination_model"] ?? "-",
      chain: row["chain"].flatMap { Int($0) } ?? 0
    )
  }

  /// The pairs of a store and every later store of its chain that is not the next one.
  public static let strides: [OraclePair] = all.indices.flatMap { first in
    all.indices.dropFirst(first + 1).filter { all[$0].chain == all[first].chain }
      .map { last in
        OraclePair(
          source: all[first].source,
          destination: all[last].destination,
          sourceModel: all[first].sourceModel,
          destinationModel: all[last].destinationModel,
          chain: all[first].chain
        )
      }
  }
}

extension OraclePair: CustomStringConvertible {
  /// The two stores' names.
  public var description: String {
    [source, destination].map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      .joined(separator: " to ")
  }
}
