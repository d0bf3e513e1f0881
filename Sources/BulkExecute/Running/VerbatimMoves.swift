internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// The tables of a migration that move whole.
///
/// They move while another thread reads them to check that they may. If one may not, what was written is
/// discarded, and the migration begins again with that table row by row.
struct VerbatimMoves {
  private var moves: [String: VerbatimMove]
  private let path: String
  /// The destination tables that move row by row because they could not move whole.
  private(set) var givenUp: [String] = []

  /// The moves of a migration, without tables that several transfers fill.
  ///
  /// - Parameters:
  ///   - work: The migration's work.
  ///   - streamed: The source tables with values that are too large to be held: most builds of SQLite hold
  ///     a record that they move.
  init(_ work: MigrationWork, except streamed: Set<String> = []) {
    path = work.store.path
    // Objects that do not keep their keys depend on more than a transfer.
    let entityRows = work.keepsKeys ? work.transfers.entityRows : []
    let transfers = Dictionary(
      grouping: entityRows + work.transfers.joinRows,
      by: \.destination
    )
    moves = transfers.compactMapValues { transfers in
      transfers.count == 1 && !streamed.contains(transfers[0].source)
        ? VerbatimMove(transfers[0], work) : nil
    }
  }

  /// Whether no table moves whole.
  var isEmpty: Bool { moves.isEmpty }

  /// The move into a destination table.
  subscript(destination: String) -> VerbatimMove? { moves[destination] }

  /// Makes tables move row by row; all of them if none is known to be corrupt.
  mutating func giveUp(_ destinations: Set<String>) {
    givenUp += destinations.isEmpty ? moves.keys.sorted() : destinations.sorted()
    if destinations.isEmpty { moves = [:] }
    for name in destinations { moves[name] = nil }
  }

  /// Begins to check the tables.
  ///
  /// - Parameter first: Work that must end before, so that two threads do not read at once.
  /// - Returns: The destination tables that cannot move whole; all of them if the work was stopped.
  func check<T>(after first: Background<T>) -> Background<Set<String>> {
    let tables = moves.mapValues(\.source)
    let path = path
    return Background { isStopped in
      guard !tables.isEmpty else { return [] }
      _ = first.value()
      guard let check = try? TableCheck(path: path) else {
        return Set(tables.keys)
      }
      let unsound = tables.filter { !check.isSound($0.value, isStopped: isStopped) }
      return Set(unsound.keys)
    }
  }
}
