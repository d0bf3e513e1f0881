internal import BulkModel

/// The methods of `NSString` for paths of files.
///
/// Source: Apple's reference, with the tables of examples of each method.
enum PathMethod: String, Hashable, Sendable, CaseIterable {
  case last = "lastPathComponent"
  case `extension` = "pathExtension"
  case components = "pathComponents"
  case withoutLast = "stringByDeletingLastPathComponent"
  case withoutExtension = "stringByDeletingPathExtension"
  case appending = "stringByAppendingPathComponent:"
  case appendingExtension = "stringByAppendingPathExtension:"
  case isAbsolute = "isAbsolutePath"
}

extension PathMethod: ReceiverMethod {
  var rule: MethodRule {
    switch self {
    case .last: MethodRule(gives: .receiver, of: "'/a/b.txt'", is: "'b.txt'")
    case .extension: MethodRule(gives: .receiver, of: "'/a/b.txt'", is: "'txt'")
    case .components:
      MethodRule(
        gives: .type(.collection(of: .string)),
        of: "'/a/b.txt'",
        is: "{'/', 'a', 'b.txt'}"
      )
    case .withoutLast: MethodRule(gives: .receiver, of: "'/a/b.txt'", is: "'/a'")
    case .withoutExtension: MethodRule(gives: .receiver, of: "'/a/b.txt'", is: "'/a/b'")
    case .appending: MethodRule(.text, gives: .receiver, of: "'/a'", with: "'b'", is: "'/a/b'")
    case .appendingExtension:
      MethodRule(.text, gives: .receiver, of: "'/a/b'", with: "'txt'", is: "'/a/b.txt'")
    case .isAbsolute: MethodRule(gives: .type(.boolean), of: "'/a/b.txt'", is: "TRUE")
    }
  }

  func value(
    of text: String,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let path = PathText(text)
    switch self {
    case .last: return .text(path.last)
    case .extension: return .text(path.extension ?? "")
    case .components:
      let components = path.components
      try arguments.memory.takeElements(components.count, rawValue)
      try arguments.memory.take(text.utf8.count, rawValue)
      return .collection(ValueCollection(.array, components.map { .text($0) }))
    case .withoutLast: return .text(path.withoutLast)
    case .withoutExtension: return .text(path.withoutExtension)
    case .appending:
      let other = try arguments.text(0)
      try arguments.memory.take(text.utf8.count + other.utf8.count + 1, rawValue)
      return .text(path.appending(other))
    case .appendingExtension:
      let other = try arguments.text(0)
      try arguments.memory.take(text.utf8.count + other.utf8.count + 1, rawValue)
      return .text(path.appending(extension: other))
    case .isAbsolute: return .boolean(text.utf8.first == UInt8(ascii: "/"))
    }
  }
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

  /// What follows the last point of the last name, unless the name begins with it.
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
