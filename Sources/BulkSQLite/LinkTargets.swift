internal import CBulkSQLite

/// The part of a linked object that a row holds.
package enum LinkedPart: Int32, Sendable {
  case key = 0
  case entityNumber = 1
}

/// Finds the objects that links lead to, while the rows that hold these are made.
package protocol LinkTargets: AnyObject {
  /// The object that a link leads to.
  ///
  /// - Parameters:
  ///   - link: The number of the link.
  ///   - row: The key of the source row from which a row is made; rows come in the order of their keys, each
  ///     as often as it likes.
  ///   - key: The key of the source object at the end of the link.
  /// - Returns: Its key and the number of its entity; `nil` if none was made from the source object.
  /// - Throws: Any error of finding it. It reaches the writer of the rows as an error of SQLite that has its
  ///   text alone.
  func target(
    of link: Int,
    from row: Int64,
    to key: Int64
  ) throws -> (key: Int64, entityNumber: Int64)?
}

extension LinkTargets {
  /// A part of the object that a link leads to; `nil` if it leads to none.
  @inline(__always)
  func number(_ part: LinkedPart, of link: Int, from row: Int64, to key: Int64) throws -> Int64? {
    let found = try target(of: link, from: row, to: key)
    return part == .key ? found?.key : found?.entityNumber
  }
}

extension SQLText {
  /// A part of the object that a link leads to from a source row, in SQL; NULL where there is none.
  ///
  /// See ``Connection/find(_:)``; the keys of the row and of the source object at the end of the link are SQL too.
  package static func linked(_ link: Int, _ part: LinkedPart, row: String, key: String) -> String {
    "bulk_linked(\(link), \(part.rawValue), \(row), \(key))"
  }
}

/// The function of ``SQLText/linked(_:_:row:key:)`` on a connection.
final class LinkedObjectFunction {
  /// The targets, which belong to the caller of ``Connection/find(_:)``.
  private weak var targets: (any LinkTargets)?

  init(_ targets: any LinkTargets) { self.targets = targets }

  /// Registers the function on a connection, which must be closed before this object is released.
  func register(on handle: OpaquePointer) -> Int32 {
    SQLFunction.register("bulk_linked", arguments: 4, of: self, on: handle) {
      context,
      _,
      arguments in
      guard let object = sqlite3_user_data(context), let arguments else { return }
      Unmanaged<LinkedObjectFunction>.fromOpaque(object).takeUnretainedValue()
        .answer(arguments, to: context)
    }
  }

  private func answer(
    _ arguments: UnsafeMutablePointer<OpaquePointer?>,
    to context: OpaquePointer?
  ) {
    guard sqlite3_value_type(arguments[3]) == SQLITE_INTEGER,
      let part = LinkedPart(rawValue: sqlite3_value_int(arguments[1]))
    else { return }
    do {
      let number = try targets?.number(
        part,
        of: Int(sqlite3_value_int64(arguments[0])),
        from: sqlite3_value_int64(arguments[2]),
        to: sqlite3_value_int64(arguments[3])
      )
      if let number { sqlite3_result_int64(context, number) }
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }
}

/// A function in SQL that statements of this package call.
enum SQLFunction {
  /// Registers a function on a connection, which must be closed before the object is released.
  ///
  /// A schema must not use it unless it is allowed to: it would get values that belong to other rows.
  ///
  /// - Returns: SQLite's code.
  static func register(
    _ name: String,
    arguments: Int32,
    of object: AnyObject,
    on handle: OpaquePointer,
    inSchemas isAllowed: Bool = false,
    _ function:
      @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) -> Int32 {
    let flags = SQLITE_UTF8 | (isAllowed ? 0 : SQLITE_DIRECTONLY)
    let object = Unmanaged.passUnretained(object).toOpaque()
    return sqlite3_create_function_v2(
      handle,
      name,
      arguments,
      flags,
      object,
      function,
      nil,
      nil,
      nil
    )
  }
}
