import BulkCoding

/// The JSON Schema of files of settings, made of the tables of options.
struct ConfigurationSchema {
  let commands: [CommandDescription]

  /// The schema, `Plans/schemas/config.schema.json`, with a line break at its end.
  var text: String {
    """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Settings of bulkmigrate",
      "description": "Values of options where neither the command line nor the environment gives any; bulkmigrate.config.json, or the file that --config names. Made by: bulkmigrate help --schema config",
      "type": "object",
      "required": ["bulkmigrate"],
      "additionalProperties": false,
      "properties": {
        "$schema": { "type": "string" },
        "bulkmigrate": { "description": "The kind of the document and its version.", "const": "\(ConfigurationReader.format)" },
        "options": {
          "description": "Options of every command that has them.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
    \(general)
          }
        },
        "commands": {
          "description": "Options of some commands, which count more.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
    \(own)
          }
        }
      }
    }

    """
  }

  /// The options of a command that a file may set.
  private func options(of command: CommandDescription) -> [CommandDescription.Option] {
    command.options.filter { $0.refusedInFile == nil }
  }

  /// The options of all commands, each once.
  private var all: [CommandDescription.Option] {
    var names: Set<String> = []
    return commands.flatMap { options(of: $0) }.filter { names.insert($0.name).inserted }
      .sorted { $0.name < $1.name }
  }

  private var general: String {
    all.map { "        \(JSONText.quoted($0.name)): \(Self.value(of: $0))" }
      .joined(separator: ",\n")
  }

  private var own: String {
    let values = Dictionary(uniqueKeysWithValues: all.map { ($0.name, Self.value(of: $0)) })
    let objects = commands.filter { !options(of: $0).isEmpty }.map { command in
      let lines = options(of: command).map { option in
        let value = Self.value(of: option)
        let reference = "{ \"$ref\": \"#/properties/options/properties/\(option.name)\" }"
        let text = values[option.name] == value ? reference : value
        return "            \(JSONText.quoted(option.name)): \(text)"
      }
      return """
                \(JSONText.quoted(command.name)): {
                  "type": "object",
                  "additionalProperties": false,
                  "properties": {
        \(lines.joined(separator: ",\n"))
                  }
                }
        """
    }
    return objects.joined(separator: ",\n")
  }

  private static func value(of option: CommandDescription.Option) -> String {
    let type: String
    if option.placeholder != nil {
      type =
        option.isRepeatable
        ? "[\"string\", \"number\", \"array\"], \"items\": { \"type\": [\"string\", \"number\"] }"
        : "[\"string\", \"number\"]"
    } else {
      type = option.isRepeatable ? "\"integer\", \"minimum\": 0, \"maximum\": 9" : "\"boolean\""
    }
    return "{ \"description\": \(JSONText.quoted(option.explanation)), \"type\": \(type) }"
  }
}
