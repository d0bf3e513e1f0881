extension Scenario {
  /// The scenario as Swift source.
  var literal: String {
    let objects = objects.map { $0.literal + "," }.indented
    let pairs =
      pairs.isEmpty ? "" : "\n  pairs: [\n\(pairs.map { $0.literal + "," }.indented)\n  ],"
    let steps = steps.map(\.literal).joined(separator: ",\n")
    return """
      Scenario(
      \(model.literal.shifted),
        [
      \(objects)
        ],\(pairs)
      \(steps.shifted)
      )
      """
  }
}

extension ModelSketch {
  fileprivate var literal: String { call("ModelSketch", entities.map(\.literal)) }
}

extension EntitySketch {
  fileprivate var literal: String {
    var arguments = [name.quoted]
    if let parent { arguments.append("under: \(parent.quoted)") }
    if isAbstract { arguments.append("isAbstract: true") }
    return call("EntitySketch", arguments + relationships.map(\.literal))
  }
}

extension RelationshipSketch {
  fileprivate var literal: String {
    var arguments = [name.quoted, destination.quoted]
    if let inverse { arguments.append("inverse: \(inverse.quoted)") }
    if isOrdered { arguments.append("isOrdered: true") }
    if isRequired { arguments.append("isRequired: true") }
    return call(isToMany ? ".toMany" : ".toOne", arguments)
  }
}

extension ObjectSketch {
  fileprivate var literal: String {
    var arguments = [entity.quoted, "\(key)"]
    if let number { arguments.append("n: \(number)") }
    if !keys.isEmpty { arguments.append(dictionary(keys)) }
    if !places.isEmpty { arguments.append("places: \(dictionary(places))") }
    return call("ObjectSketch", arguments)
  }
}

extension PairSketch {
  fileprivate var literal: String {
    var arguments = [relationship.quoted, "\(owner)", "\(member)"]
    if let place { arguments.append("place: \(place)") }
    if let ownerPlace { arguments.append("ownerPlace: \(ownerPlace)") }
    return call("PairSketch", arguments)
  }
}

extension StepSketch {
  fileprivate var literal: String {
    call("StepSketch", ["to: \(model.literal)"] + mappings.map(\.literal))
  }
}

extension MappingSketch {
  fileprivate var literal: String {
    var arguments = [name.quoted, "from: \(source.quoted)", "to: \(destination.quoted)"]
    if let filter { arguments.append("where: \(filter.literal)") }
    if let sharing { arguments.append("sharing: \(sharing)") }
    let values = assignments.map {
      ".set(\($0.relationship.quoted), \($0.value.literal)\($0.takesFirst ? ", takesFirst: true" : ""))"
    }
    return call("MappingSketch", arguments + values)
  }
}

extension FilterSketch {
  fileprivate var literal: String {
    switch self {
    case .above(let limit): ".above(\(limit))"
    case .equal(let other): ".equal(\(other))"
    case .hasNumber: ".hasNumber"
    case .hasNoNumber: ".hasNoNumber"
    }
  }
}

extension ValueSketch {
  fileprivate var literal: String {
    switch self {
    case .untouched: ".untouched"
    case .nothing: ".nothing"
    case .made(let mapping, let path):
      call(".made", ["by: \(mapping.quoted)"] + path.map(\.quoted))
    case .madeByAny(let name, let path):
      path.first == name
        ? call(".madeByAny", path.map(\.quoted))
        : ".madeByAny(as: \(name.quoted), path: [\(path.map(\.quoted).joined(separator: ", "))])"
    }
  }
}

extension String {
  fileprivate var quoted: String { "\"\(self)\"" }

  fileprivate var shifted: String {
    split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
  }
}

extension [String] {
  fileprivate var indented: String { map { "    " + $0 }.joined(separator: "\n") }
}

private func dictionary(_ values: [String: Int64]) -> String {
  let pairs = values.sorted { $0.key < $1.key }.map { "\($0.key.quoted): \($0.value)" }
  return "[\(pairs.joined(separator: ", "))]"
}

/// A call, over several lines where it is long.
private func call(_ name: String, _ arguments: [String]) -> String {
  let line = "\(name)(\(arguments.joined(separator: ", ")))"
  if line.count <= 80, !line.contains("\n") { return line }
  return "\(name)(\n\(arguments.joined(separator: ",\n").shifted)\n)"
}
