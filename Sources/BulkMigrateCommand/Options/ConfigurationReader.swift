import BulkCoding

/// Reads a file of settings, and refuses settings that no command has.
struct ConfigurationReader {
  static let format = "config/1"

  private let path: String
  private let document: JSONDocument
  private let commands: [CommandDescription]

  /// - Throws: ``Refusal`` if the bytes are not JSON.
  init(
    _ path: String,
    _ bytes: [UInt8],
    for commands: [CommandDescription]
  ) throws(Refusal) {
    self.path = path
    self.commands = commands
    do {
      document = try JSONDocument(bytes)
    } catch {
      throw Refusal(.badData, "\(path):\(error.position): \(error.reason)")
    }
  }

  func configuration() throws(Refusal) -> Configuration {
    if let twice = document.duplicates.first {
      throw invalid(twice.offset, "\(quoted(twice.name)) appears twice")
    }
    var general: [Configuration.Setting] = []
    var own: [String: [Configuration.Setting]] = [:]
    var isMarked = false
    for member in try members(document.root, "a file of settings") {
      switch member.name {
      case "$schema": break
      case "bulkmigrate":
        guard member.value.string == Self.format else {
          throw invalid(member.value.offset, "the format is not \(quoted(Self.format))")
        }
        isMarked = true
      case "options": general = try settings(member.value, of: commands)
      case "commands":
        for member in try members(member.value, quoted("commands")) {
          let names = commands.map(\.name)
          guard let command = commands.first(where: { $0.name == member.name }) else {
            throw unknown("command", member, among: names)
          }
          own[command.name] = try settings(member.value, of: [command])
        }
      default:
        let keys = ["bulkmigrate", "options", "commands", "$schema"]
        let options = Set(commands.flatMap(\.options).map(\.name)).sorted()
        if NearestName.of(member.name, among: keys) == nil,
          let option = NearestName.of(member.name, among: options)
        {
          throw invalid(
            member.offset,
            "\(quoted(member.name)) is not a key of the file; options are set within "
              + "\"options\": { \(quoted(option)): … }"
          )
        }
        throw unknown("key", member, among: keys)
      }
    }
    guard isMarked else {
      throw invalid(document.root.offset, "\"bulkmigrate\": \"\(Self.format)\" is missing")
    }
    return Configuration(path: path, general: general, commands: own)
  }

  private func settings(
    _ value: JSONValue,
    of commands: [CommandDescription]
  ) throws(Refusal) -> [Configuration.Setting] {
    var found: [Configuration.Setting] = []
    let known = commands.flatMap(\.options)
    for member in try members(value, "what is set") {
      let options = known.filter { $0.name == member.name }
      guard let option = options.first else {
        throw unknown("option", member, among: known.map(\.name))
      }
      if let reason = option.refusedInFile {
        throw invalid(member.offset, "\(quoted(member.name)) cannot be set here: \(reason)")
      }
      found.append(
        Configuration.Setting(
          name: member.name,
          values: try values(member, options),
          position: document.position(of: member.value.offset)
        )
      )
    }
    return found
  }

  /// The values of an option that commands have.
  private func values(
    _ member: JSONMember,
    _ options: [CommandDescription.Option]
  ) throws(Refusal) -> [String] {
    let takesNone = options.contains(where: \.isFlag)
    let counts = options.contains { $0.placeholder == nil && $0.isRepeatable }
    let takesOne = options.contains { $0.placeholder != nil }
    let takesMore = options.contains { $0.placeholder != nil && $0.isRepeatable }
    switch member.value.content {
    case .boolean(let isSet) where takesNone: return ["\(isSet)"]
    case .number(let text) where takesOne || counts: return [text]
    case .string(let text) where takesOne: return [text]
    case .array(let elements) where takesMore:
      var texts: [String] = []
      for element in elements {
        switch element.content {
        case .string(let text), .number(let text): texts.append(text)
        case .null, .boolean, .array, .object:
          throw invalid(element.offset, "\(element.kind) is not a value of \(quoted(member.name))")
        }
      }
      return texts
    case .null, .boolean, .number, .string, .array, .object:
      let wanted =
        takesMore
        ? "a text or an array of texts"
        : takesOne ? "a text or a number" : counts ? "a number" : "true or false"
      throw invalid(
        member.value.offset,
        "\(quoted(member.name)) is \(member.value.kind) in place of \(wanted)"
      )
    }
  }

  private func members(
    _ value: JSONValue,
    _ what: String
  ) throws(Refusal) -> [JSONMember] {
    guard case .object(let members) = value.content else {
      throw invalid(value.offset, "\(what) is \(value.kind) in place of an object")
    }
    return members
  }

  private func unknown(
    _ what: String,
    _ member: JSONMember,
    among names: [String]
  ) -> Refusal {
    let nearest = NearestName.of(member.name, among: names).map {
      "; did you mean \(quoted($0))?"
    }
    return invalid(member.offset, "unknown \(what) \(quoted(member.name))\(nearest ?? "")")
  }

  private func invalid(_ offset: Int, _ reason: String) -> Refusal {
    Refusal(.badData, "\(path):\(document.position(of: offset)): \(reason)")
  }

  private func quoted(_ text: String) -> String { JSONText.quoted(text) }
}
