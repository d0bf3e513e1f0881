package import BulkMapping
package import BulkStore

/// How an input of an expression is read with the rows of a page.
package indirect enum InputReading: Hashable, Sendable {
  /// An attribute, in a column of the query.
  case attribute(column: Int)
  /// An object: the columns of its key and of its entity's number, and what is asked of it.
  case object(key: Int, entityNumber: Int, members: [InputReading])
  /// The objects of a to-many relationship: the column of their owner's key, the query that gives them,
  /// of which the first column is the object's entity number, what is asked of each, and whether other
  /// rows may lead to the same owner.
  case objects(
    owner: Int,
    query: Int,
    ValueCollection.Kind,
    members: [InputReading],
    isShared: Bool
  )
}

extension InputReading {
  /// The readings of to-many relationships in this one, itself among them.
  var streams: [InputReading] {
    switch self {
    case .attribute: []
    case .object(_, _, let members): members.flatMap(\.streams)
    case .objects(_, _, _, let members, _): [self] + members.flatMap(\.streams)
    }
  }
}

/// The columns that must be read of every row so that programs can be evaluated.
package struct InputColumns: Hashable, Sendable {
  /// The columns; no two are the same.
  package private(set) var columns: [SelectedColumn] = []

  package init() {}

  /// The place of a column, which is added if it is new.
  package mutating func place(of column: SelectedColumn) -> Int {
    if let place = columns.firstIndex(of: column) { return place }
    columns.append(column)
    return columns.count - 1
  }
}
