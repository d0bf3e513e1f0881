/// Something in a keyed archive: an object with a class and keys, or a plain value.
///
/// It is a position, not a copy; values of keys are looked up on access. Each accessor returns `nil` if the
/// item has another kind.
package struct ArchivedObject: Sendable {
  let archive: KeyedArchive
  let value: PropertyList
  /// The index in the archive's object table, which identifies the object; `nil` for a value stored inside an
  /// object.
  package let index: Int?

  package var className: String? { classNames.first }

  /// The class and its superclasses, nearest first; empty for a plain value.
  ///
  /// Some archives leave out `$classname`; the first of `$classes` says the same.
  package var classNames: [String] {
    guard
      case .uid(let number)? = value.dictionary?["$class"],
      let description = archive.objects[number].dictionary
    else { return [] }
    let chain = description["$classes"]?.array?.compactMap(\.string) ?? []
    guard let name = description["$classname"]?.string, name != chain.first else { return chain }
    return [name] + chain
  }

  package var keys: [String] {
    guard let entries = value.dictionary else { return [] }
    return entries.keys.filter { $0 != "$class" }
      .sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
  }

  /// The value of a key, or `nil` if the object lacks the key or its value is `$null`.
  package subscript(key: String) -> ArchivedObject? {
    value.dictionary?[key].flatMap(archive.resolve)
  }

  /// Whether the object has a key, even if its value is `$null`.
  package func has(_ key: String) -> Bool { value.dictionary?[key] != nil }

  package func isKind(of name: String) -> Bool { classNames.contains(name) }

  /// The text of a string, mutable or attributed.
  package var string: String? {
    if case .string(let text) = value { return text }
    guard isKind(of: "NSString") else {
      return isKind(of: "NSAttributedString") ? self["NSString"]?.value.string : nil
    }
    if let text = self["NS.string"]?.value.string { return text }
    return self["NS.bytes"]?.value.data.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The elements of an array, a set or an ordered set, each `nil` for `$null`.
  package var elements: [ArchivedObject?]? {
    if case .array(let elements) = value { return elements.map(archive.resolve) }
    if let elements = value.dictionary?["NS.objects"]?.array, !has("NS.keys") {
      return elements.map(archive.resolve)
    }
    return isKind(of: "NSArray") || isKind(of: "NSSet") || isKind(of: "NSOrderedSet")
      ? numbered("NS.object.") : nil
  }

  /// The entries of a dictionary whose keys are strings, in the archive's order.
  ///
  /// `NSKnownKeysDictionary1` keeps its keys in a `searchMapping` that several dictionaries share.
  package var entries: [(key: String, value: ArchivedObject?)]? {
    let mapped = self["searchMapping"].map { $0["keys"]?.elements }
    guard
      let keys = mapped ?? list("NS.keys", "NS.key."),
      let values =
        has("searchMapping") ? self["values"]?.elements : list("NS.objects", "NS.object.")
    else { return nil }
    let names = keys.compactMap { $0?.string }
    guard names.count == keys.count, keys.count == values.count else { return nil }
    return zip(names, values).map { (key: $0, value: $1) }
  }

  private func list(_ key: String, _ prefix: String) -> [ArchivedObject?]? {
    if let list = value.dictionary?[key]?.array { return list.map(archive.resolve) }
    return isKind(of: "NSDictionary") ? numbered(prefix) : nil
  }

  /// Collections in archives of other implementations: `NS.object.0`, `NS.object.1` and so on.
  private func numbered(_ prefix: String) -> [ArchivedObject?] {
    var result: [ArchivedObject?] = []
    while let element = value.dictionary?[prefix + String(result.count)] {
      result.append(archive.resolve(element))
    }
    return result
  }

  package var boolean: Bool? { value.boolean }

  package var integer: Int64? {
    if case .boolean(let flag) = value { return flag ? 1 : 0 }
    return value.integer
  }

  package var double: Double? {
    switch value {
    case .real(let number): number
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .boolean, .date, .data, .string, .uid, .array, .dictionary, .null: nil
    }
  }

  package var plainValue: PropertyList? { className == nil ? value : nil }

  /// The seconds since 2001-01-01 00:00:00 UTC of an `NSDate`.
  package var date: Double? {
    if case .date(let seconds) = value { return seconds }
    return self["NS.time"]?.double
  }

  package var data: [UInt8]? { value.data ?? self["NS.data"]?.value.data }

  package var uuid: UUID? {
    guard let bytes = self["NS.uuidbytes"]?.value.data, bytes.count == 16 else { return nil }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      )
    )
  }

  /// The text of an `NSURL`, appended to that of its base if it has one.
  package var url: String? {
    guard let relative = self["NS.relative"]?.string else { return nil }
    guard let base = self["NS.base"]?["NS.relative"]?.string else { return relative }
    guard let url = URL(string: relative, relativeTo: URL(string: base)) else { return nil }
    return url.absoluteString
  }
}
