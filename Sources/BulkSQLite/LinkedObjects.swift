internal import CBulkSQLite

/// An object that a link leads to.
package struct LinkedObject: Hashable, Sendable {
  /// Its key.
  package let key: Int64
  /// The number of its entity.
  package let entityNumber: Int64

  package init(key: Int64, entityNumber: Int64) {
    self.key = key
    self.entityNumber = entityNumber
  }

  fileprivate func number(_ part: LinkedPart) -> Int64 {
    switch part {
    case .key: key
    case .entityNumber: entityNumber
    }
  }
}

/// What a row holds of an object that a link leads to.
package enum LinkedPart: Int32, Sendable {
  case key = 0
  case entityNumber = 1
}

/// Finds the objects that links lead to, while the rows that hold these are made.
package protocol LinkedObjects: AnyObject {
  /// The object that a link leads to.
  ///
  /// - Parameters:
  ///   - link: The number of the link.
  ///   - row: The key of the source row of which a row is made; rows come in the order of their keys, each
  ///     as often as it likes.
  ///   - key: The key of the source object at the end of the link.
  /// - Returns: The object; `nil` if none was made from the source object.
  /// - Throws: ``SQLiteError`` if what is known of the objects cannot be read.
  func object(
    of link: Int,
    from row: Int64,
    to key: Int64
  ) throws(SQLiteError) -> LinkedObject?
}

extension LinkedObjects {
  /// A part of the object that a link leads to; `nil` if there is no object.
  @inline(__always)
  func number(
    _ part: LinkedPart,
    of link: Int,
    from row: Int64,
    to key: Int64
  ) throws(SQLiteError) -> Int64? {
    try object(of: link, from: row, to: key)?.number(part)
  }
}

extension SQLText {
  /// A part of the object that a link leads to, in SQL; see ``Connection/find(_:)``.
  ///
  /// - Parameters:
  ///   - link: The number of the link.
  ///   - part: The part.
  ///   - row: The key of the source row in SQL.
  ///   - key: The key of the source object at the end of the link in SQL.
  /// - Returns: The part in SQL; NULL where there is no object.
  package static func linked(
    _ link: Int,
    _ part: LinkedPart,
    row: String,
    key: String
  ) -> String {
    "bulk_linked(\(link), \(part.rawValue), \(row), \(key))"
  }
}

/// The function of ``SQLText/linked(_:_:row:key:)`` on a connection.
final class LinkedObjectFunction {
  private let objects: any LinkedObjects

  init(_ objects: any LinkedObjects) { self.objects = objects }

  /// Registers the function on a connection, which must be closed before this object is released.
  func register(on handle: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      handle,
      "bulk_linked",
      4,
      SQLITE_UTF8 | SQLITE_DIRECTONLY,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, _, arguments in
        guard let object = sqlite3_user_data(context), let arguments else { return }
        Unmanaged<LinkedObjectFunction>.fromOpaque(object).takeUnretainedValue()
          .answer(arguments, to: context)
      },
      nil,
      nil,
      nil
    )
  }

  private func answer(
    _ arguments: UnsafeMutablePointer<OpaquePointer?>,
    to context: OpaquePointer?
  ) {
    guard sqlite3_value_type(arguments[3]) == SQLITE_INTEGER,
      let part = LinkedPart(rawValue: sqlite3_value_int(arguments[1]))
    else { return }
    do throws(SQLiteError) {
      let number = try objects.number(
        part,
        of: Int(sqlite3_value_int64(arguments[0])),
        from: sqlite3_value_int64(arguments[2]),
        to: sqlite3_value_int64(arguments[3])
      )
      if let number { sqlite3_result_int64(context, number) }
    } catch {
      sqlite3_result_error(context, error.message, -1)
    }
  }
}
