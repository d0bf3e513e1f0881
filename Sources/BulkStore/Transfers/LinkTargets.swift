internal import BulkSQLite

/// An object that a link leads to.
package struct LinkTarget: Hashable, Sendable {
  /// Its key.
  package let key: Int64
  /// The number of its entity.
  package let entityNumber: Int64

  package init(key: Int64, entityNumber: Int64) {
    self.key = key
    self.entityNumber = entityNumber
  }
}

/// Finds the objects that links lead to, while the rows that hold these are written.
package protocol LinkTargets: AnyObject {
  /// The object that a link leads to.
  ///
  /// - Parameters:
  ///   - link: The number of the link.
  ///   - row: The key of the source row of which a row is made; rows come in the order of their keys, each
  ///     as often as it likes.
  ///   - key: The key of the source object at the end of the link.
  /// - Returns: The object; `nil` if none was made from the source object.
  /// - Throws: Any error of finding it. It reaches the writer of the rows as an error of SQLite that has its
  ///   text alone.
  func target(of link: Int, from row: Int64, to key: Int64) throws -> LinkTarget?
}

/// Finds link targets for what makes records.
final class LinkedRows: LinkedObjects {
  /// The targets, which belong to the caller of the session.
  private weak var targets: (any LinkTargets)?
  private let path: String

  init(_ targets: any LinkTargets, path: String) {
    self.targets = targets
    self.path = path
  }

  func object(
    of link: Int,
    from row: Int64,
    to key: Int64
  ) throws(StoreError) -> LinkedObject? {
    do {
      return try targets?.target(of: link, from: row, to: key).map {
        LinkedObject(key: $0.key, entityNumber: $0.entityNumber)
      }
    } catch {
      throw StoreError(.other, message: "\(error)", path: path)
    }
  }
}

extension ColumnExpression {
  /// The key of the object that a link leads to from a source object with a key.
  package static func linkedKey(_ link: Int, key: ColumnExpression) -> ColumnExpression {
    .linked(link, .key, key: key)
  }

  /// The number of the entity of that object.
  package static func linkedEntity(_ link: Int, key: ColumnExpression) -> ColumnExpression {
    .linked(link, .entityNumber, key: key)
  }
}
