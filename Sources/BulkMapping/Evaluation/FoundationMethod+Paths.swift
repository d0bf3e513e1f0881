/// The methods of `NSString` for paths of files.
///
/// Source: Apple's reference, with the tables of examples of each method.
extension FoundationMethod {
  static let paths: [ExampleRow<FoundationMethod>] = [
    text("lastPathComponent", gives: .receiver) { text, _ in .text(PathText(text).last) }
      .example("'/a/b.txt'", is: "'b.txt'"),
    text("pathExtension", gives: .receiver) { text, _ in .text(PathText(text).extension ?? "") }
      .example("'/a/b.txt'", is: "'txt'"),
    text("pathComponents", gives: .texts) { text, call in
      let components = PathText(text).components
      try call.takeElements(components.count)
      try call.take(text.utf8.count)
      return .collection(ValueCollection(.array, components.map { .text($0) }))
    }.example("'/a/b.txt'", is: "{'/', 'a', 'b.txt'}"),
    text("stringByDeletingLastPathComponent", gives: .receiver) { text, _ in
      .text(PathText(text).withoutLast)
    }.example("'/a/b.txt'", is: "'/a'"),
    text("stringByDeletingPathExtension", gives: .receiver) { text, _ in
      .text(PathText(text).withoutExtension)
    }.example("'/a/b.txt'", is: "'/a/b'"),
    text("stringByAppendingPathComponent:", .text, gives: .receiver) { text, call in
      let other = try call.text(0)
      try call.take(text.utf8.count + other.utf8.count + 1)
      return .text(PathText(text).appending(other))
    }.example("'/a'", "'b'", is: "'/a/b'"),
    text("stringByAppendingPathExtension:", .text, gives: .receiver) { text, call in
      let other = try call.text(0)
      try call.take(text.utf8.count + other.utf8.count + 1)
      return .text(PathText(text).appending(extension: other))
    }.example("'/a/b'", "'txt'", is: "'/a/b.txt'"),
    text("isAbsolutePath", gives: .boolean) { text, _ in
      .boolean(text.utf8.first == UInt8(ascii: "/"))
    }.example("'/a/b.txt'", is: "TRUE"),
  ]
}

/// A text as a path, whose components have slashes between them.
struct PathText {
  private let text: String
  private let names: [Substring]
  private let isAbsolute: Bool

  init(_ text: String) {
    self.text = text
    isAbsolute = text.utf8.first == UInt8(ascii: "/")
    names = text.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
  }

  /// The root and the names; a slash at the end stands for a component `/`.
  var components: [String] {
    let endsWithSlash = !names.isEmpty && text.utf8.last == UInt8(ascii: "/")
    return (isAbsolute ? ["/"] : []) + names.map(String.init) + (endsWithSlash ? ["/"] : [])
  }

  var last: String { names.last.map(String.init) ?? (isAbsolute ? "/" : "") }

  /// The part of the last name after its last point, unless the name begins with the point.
  var `extension`: String? {
    guard let point = point(in: last), point.extension.isEmpty == false else { return nil }
    return point.extension
  }

  var withoutLast: String { written(names.dropLast()) }

  var withoutExtension: String {
    guard `extension` != nil, let stem = point(in: last)?.stem else { return written(names[...]) }
    return written(names.dropLast() + [Substring(stem)])
  }

  func appending(_ other: String) -> String {
    let added = PathText(other)
    let path = written(names + added.names)
    return !isAbsolute && names.isEmpty && added.isAbsolute ? "/" + path : path
  }

  func appending(extension other: String) -> String { written(names[...]) + "." + other }

  private func written(_ names: some Collection<Substring>) -> String {
    (isAbsolute ? "/" : "") + names.joined(separator: "/")
  }

  private func point(in name: String) -> (stem: String, extension: String)? {
    guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")), point > name.startIndex else {
      return nil
    }
    return (String(name[..<point]), String(name[name.utf8.index(after: point)...]))
  }
}
