public import Foundation

/// A schema of documents (JSON Schema 2020-12), as far as the schemas of this project go.
///
/// A schema with a word that is not known here has a fault, so that nothing is passed over.
public struct JSONSchema {
  private let root: [String: Any]

  /// Reads the schema of a kind of documents, `Plans/schemas/KIND.schema.json`.
  public init(of kind: String) throws {
    let url = Self.folder.appendingPathComponent("\(kind).schema.json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    root = object as? [String: Any] ?? [:]
  }

  /// The folder of all schemas.
  public static var folder: URL {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Plans/schemas")
  }

  /// A part of the schema; `nil` where there is none, or where it is not an object.
  public func part(_ path: String...) -> [String: Any]? {
    path.reduce(root as [String: Any]?) { part, name in part?[name] as? [String: Any] }
  }

  /// What a document has against the schema, a sentence each.
  public func faults(of document: Data) -> [String] {
    let value = try? JSONSerialization.jsonObject(with: document, options: .fragmentsAllowed)
    return value.map { faults(of: $0, root, "$") } ?? ["it is not JSON"]
  }

  /// What a value that was read from JSON has against the schema, a sentence each.
  public func faults(of value: Any) -> [String] { faults(of: value, root, "$") }

  private static let words: Set = [
    "$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "format",
    "required",
    "properties", "additionalProperties", "items", "minItems", "minimum", "maximum", "pattern",
    "oneOf", "anyOf", "not", "default", "examples", "minLength", "maxItems", "uniqueItems",
    "minProperties",
    "maxProperties", "dependentRequired",
  ]

  private func faults(of value: Any, _ schema: [String: Any], _ location: String) -> [String] {
    if let name = schema["$ref"] as? String {
      let parts = name.split(separator: "/").dropFirst().map(String.init)
      let part = parts.reduce(root as [String: Any]?) { $0?[$1] as? [String: Any] }
      return part.map { faults(of: value, $0, location) } ?? ["\(location): no schema \(name)"]
    }
    let unknown = schema.keys.filter { !Self.words.contains($0) }.sorted()
    return unknown.map { "\(location): the schema says \($0)" }
      + choices(of: value, schema, location) + kinds(of: value, schema, location)
      + sizes(of: value, schema, location) + members(of: value, schema, location)
      + elements(of: value, schema, location)
  }

  private func choices(of value: Any, _ schema: [String: Any], _ location: String) -> [String] {
    var found: [String] = []
    if let only = schema["const"], !Self.isSame(value, only) {
      found.append("\(location) is \(value), not \(only)")
    }
    if let known = schema["enum"] as? [Any], !known.contains(where: { Self.isSame(value, $0) }) {
      found.append("\(location) is \(value), which is no such word")
    }
    for word in ["oneOf", "anyOf"] {
      guard let cases = schema[word] as? [[String: Any]] else { continue }
      let fitting = cases.count { faults(of: value, $0, location).isEmpty }
      if fitting == 0 || word == "oneOf" && fitting > 1 {
        found.append("\(location) fits \(fitting) cases of \(word)")
      }
    }
    if let other = schema["not"] as? [String: Any], faults(of: value, other, location).isEmpty {
      found.append("\(location) is what it may not be")
    }
    return found
  }

  private static func isSame(_ one: Any, _ other: Any) -> Bool {
    (one as? NSObject) == (other as? NSObject)
  }

  private func kinds(of value: Any, _ schema: [String: Any], _ location: String) -> [String] {
    let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
    guard types.isEmpty || types.contains(where: { Self.is(value, $0) }) else {
      return ["\(location) is \(value), not \(types.joined(separator: " or "))"]
    }
    if let number = value as? Double, let least = schema["minimum"] as? Double, number < least {
      return ["\(location) is \(number), less than \(least)"]
    }
    if let number = value as? Double, let most = schema["maximum"] as? Double, number > most {
      return ["\(location) is \(number), more than \(most)"]
    }
    if let text = value as? String, let pattern = schema["pattern"] as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      return ["\(location) is \(text), not as \(pattern)"]
    }
    return []
  }

  private static func `is`(_ value: Any, _ type: String) -> Bool {
    // A Boolean is a number as well to Foundation.
    let isTruth = (value as? NSNumber).map { isBoolean($0) } ?? false
    switch type {
    case "object": return value is [String: Any]
    case "array": return value is [Any]
    case "string": return value is String
    case "boolean": return isTruth
    case "null": return value is NSNull
    case "integer": return !isTruth && (value as? Double).map { $0 == $0.rounded() } ?? false
    case "number": return !isTruth && value is Double
    default: return false
    }
  }

  private static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }

  /// How many characters, members and elements there are.
  private func sizes(of value: Any, _ schema: [String: Any], _ location: String) -> [String] {
    let (text, members) = (value as? String, value as? [String: Any])
    let elements = value as? [Any]
    let counts = [
      ("Length", text?.count), ("Properties", members?.count), ("Items", elements?.count),
    ]
    var found: [String] = []
    for case (let word, let count?) in counts {
      if let least = schema["min" + word] as? Int, count < least {
        found.append("\(location) has \(count), fewer than \(least)")
      }
      if let most = schema["max" + word] as? Int, count > most {
        found.append("\(location) has \(count), more than \(most)")
      }
    }
    if schema["uniqueItems"] as? Bool == true, let elements,
      Set(elements.map { "\($0)" }).count < elements.count
    {
      found.append("\(location) has elements twice")
    }
    for (name, others) in schema["dependentRequired"] as? [String: [String]] ?? [:]
    where members?[name] != nil {
      found += others.filter { members?[$0] == nil }.map { "\(location) has \(name), but no \($0)" }
    }
    return found
  }

  private func members(of value: Any, _ schema: [String: Any], _ location: String) -> [String] {
    guard let members = value as? [String: Any] else { return [] }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let required = schema["required"] as? [String] ?? []
    var found = required.filter { members[$0] == nil }.map { "\(location) has no \($0)" }
    for (name, member) in members.sorted(by: { $0.key < $1.key }) {
      if let known = properties[name] {
        found += faults(of: member, known, "\(location).\(name)")
      } else if let others = schema["additionalProperties"] as? [String: Any] {
        found += faults(of: member, others, "\(location).\(name)")
      } else if schema["additionalProperties"] as? Bool == false {
        found.append("\(location).\(name) is unknown")
      }
    }
    return found
  }

  private func elements(of value: Any, _ schema: [String: Any], _ location: String) -> [String] {
    guard let elements = value as? [Any] else { return [] }
    var found: [String] = []
    if let items = schema["items"] as? [String: Any] {
      for (index, element) in elements.enumerated() {
        found += faults(of: element, items, "\(location)[\(index)]")
      }
    }
    return found
  }
}
