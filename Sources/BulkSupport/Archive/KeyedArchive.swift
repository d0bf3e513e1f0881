/// An archive of NSKeyedArchiver, read without instantiating any class that it names.
///
/// The property list has `$archiver`, `$version`, `$objects` (a table in which element 0 is the
/// text `$null`) and `$top` (keys of the outermost objects). An object is a dictionary whose
/// `$class` refers to a dictionary with `$classname` and `$classes`; strings, numbers and data are stored in
/// the table as they are. References lead back into the table and may form cycles.
///
/// Every reference in an archive that has been read is valid.
package final class KeyedArchive: Sendable {
  package static let archiverName = "NSKeyedArchiver"

  package static let rootKey = "root"

  let objects: [PropertyList]
  private let top: [String: PropertyList]

  package convenience init(_ bytes: [UInt8]) throws(CodingError) {
    try self.init(PropertyList(bytes))
  }

  package init(_ list: PropertyList) throws(CodingError) {
    guard let entries = list.dictionary, entries["$archiver"]?.string == Self.archiverName else {
      throw .notA("keyed archive", reason: "its $archiver is not \(Self.archiverName)")
    }
    guard let objects = entries["$objects"]?.array, objects.first == .string("$null") else {
      throw .notA("keyed archive", reason: "it has no $objects that begin with $null")
    }
    guard let top = entries["$top"]?.dictionary else {
      throw .notA("keyed archive", reason: "it has no $top")
    }
    self.objects = objects
    self.top = top
    for value in top.values { try Self.check(value, in: 0, count: objects.count) }
    for (index, object) in objects.enumerated() { try Self.check(index, object, objects) }
  }

  package var root: ArchivedObject? { self[Self.rootKey] }

  /// An outermost object by its key; `nil` if it does not exist or is `$null`.
  package subscript(key: String) -> ArchivedObject? { top[key].flatMap(resolve) }

  /// The value itself, or the object that it refers to; `nil` for `$null`.
  func resolve(_ value: PropertyList) -> ArchivedObject? {
    switch value {
    case .null, .uid(0): nil
    case .uid(let index): ArchivedObject(archive: self, value: objects[index], index: index)
    case .boolean, .integer, .unsigned, .real, .date, .data, .string, .array, .dictionary:
      ArchivedObject(archive: self, value: value, index: nil)
    }
  }

  private static func check(
    _ index: Int,
    _ object: PropertyList,
    _ objects: [PropertyList]
  ) throws(CodingError) {
    if case .uid = object { throw .invalidObject(index, reason: "is only a reference") }
    try check(object, in: index, count: objects.count)
    guard case .uid(let number)? = object.dictionary?["$class"] else { return }
    guard objects[number].dictionary?["$classes"] != nil else {
      throw .invalidObject(index, reason: "has a $class that is not one")
    }
  }

  private static func check(
    _ value: PropertyList,
    in index: Int,
    count: Int
  ) throws(CodingError) {
    switch value {
    case .uid(let number):
      guard number >= 0, number < count else {
        throw .invalidObject(index, reason: "refers to object \(number), which does not exist")
      }
    case .array(let elements):
      for element in elements { try check(element, in: index, count: count) }
    case .dictionary(let entries):
      for entry in entries.values { try check(entry, in: index, count: count) }
    case .boolean, .integer, .unsigned, .real, .date, .data, .string, .null: return
    }
  }
}
