package import BulkMapping
package import BulkStore

/// How an input of an expression is read with the rows of a page.
package indirect enum InputReading: Hashable, Sendable {
  /// An attribute, in a column of the query.
  case attribute(column: Int)
  /// An object: the columns of its key and of its entity's number, and the inputs read from it.
  case object(key: Int, entityNumber: Int, members: [InputReading])
  /// The objects of a to-many relationship: the column of their owner's key, the query that returns them,
  /// whose first column is the object's entity number, the inputs read from each, and whether other rows may
  /// have the same owner.
  case objects(
    owner: Int,
    query: Int,
    ValueCollection.Kind,
    members: [InputReading],
    isShared: Bool
  )
}

extension InputReading {
  /// The readings of to-many relationships in this one, including itself.
  var streams: [InputReading] {
    switch self {
    case .attribute: []
    case .object(_, _, let members): members.flatMap(\.streams)
    case .objects(_, _, _, let members, _): [self] + members.flatMap(\.streams)
    }
  }
}

/// The columns to read from every row so that programs can be evaluated.
package struct InputColumns: Hashable, Sendable {
  /// The columns, all different.
  package private(set) var columns: [SelectedColumn] = []

  package init() {}

  /// The index of a column, which is added if it is new.
  package mutating func place(of column: SelectedColumn) -> Int {
    if let place = columns.firstIndex(of: column) { return place }
    columns.append(column)
    return columns.count - 1
  }
}
