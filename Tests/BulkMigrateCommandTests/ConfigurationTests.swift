@testable import BulkCoding
import BulkTestSupport
import Foundation
import Testing

@testable import BulkMigrateCommand

@Suite("Files of settings", .tags(.promise9))
struct ConfigurationTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func read(_ text: String) throws -> Configuration? {
    let path = directory.path("settings.json")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return try Configuration.read(path) {
      [
        TravelArguments.table.description,
        OptionTable(
          command: "stage in",
          summary: "Fetch.",
          explanation: "",
          examples: [:],
          results: [],
          defaults: TravelArguments(),
          options: [
            .value("fetch", "COMMAND", "Fetches.") { $0.origin = $1 }
              .neverInFile(OptionSetting.noCommands)
          ]
        ).description,
      ]
    }
  }

  private func parsed(
    _ words: [String],
    _ text: String,
    environment: [String: String] = [:]
  ) throws -> (TravelArguments, [OptionSetting]) {
    let file = try read(text)
    let request = try TravelArguments.table.parse(words, environment: environment) { _ in file }
    guard case .run(let arguments, let settings) = request else {
      throw UsageError("nothing was to be run")
    }
    return (arguments, settings)
  }

  private static let both = """
    {
      "bulkmigrate": "config/1",
      "options": { "max-speed": 3, "quiet": true },
      "commands": { "travel": { "max-speed": "5", "stop": ["a", "b"], "night": true } }
    }
    """

  @Test func `options of all commands and of one are set, and what is said of one counts more`()
    throws
  {
    let (arguments, settings) = try parsed(["here"], Self.both)
    #expect(arguments.speed == 5)
    #expect(arguments.stops == ["a", "b"])
    #expect(arguments.isNight)
    #expect(arguments.output.isQuiet)
    let speed = try #require(settings.first { $0.name == "max-speed" })
    let place = TextPosition(line: 4, column: 42)
    #expect(speed.origin == .file(directory.path("settings.json"), place))
  }

  @Test func `the environment counts more than a file, and the line more than both`() throws {
    let environment = [
      "BULKMIGRATE_MAX_SPEED": "7", "BULKMIGRATE_NIGHT": "0", "BULKMIGRATE_STOP": "c",
    ]
    let (fromEnvironment, _) = try parsed(["here"], Self.both, environment: environment)
    #expect(fromEnvironment.speed == 7)
    #expect(fromEnvironment.stops == ["c"])
    #expect(!fromEnvironment.isNight)
    let (typed, settings) = try parsed(
      ["here", "-s9", "--stop", "d"],
      Self.both,
      environment: environment
    )
    #expect(typed.speed == 9)
    #expect(typed.stops == ["d"])
    #expect(settings.first { $0.name == "max-speed" }?.origin == .typed)
    #expect(settings.first { $0.name == "night" }?.origin == .environment("BULKMIGRATE_NIGHT"))
    #expect(settings.first { $0.name == "quiet" }?.values == ["true"])
  }

  @Test(arguments: [
    (#"{"options": {}}"#, #"1:1: "bulkmigrate": "config/1" is missing"#),
    (#"{"bulkmigrate": "config/2"}"#, #"1:17: the format is not "config/1""#),
    (
      #"{"bulkmigrate": "config/1", "optoins": {}}"#,
      #"1:29: unknown key "optoins"; did you mean "options"?"#
    ),
    (
      #"{"bulkmigrate": "config/1", "max-sped": 1}"#,
      #"1:29: "max-sped" is not a key of the file; options are set within "options": { "max-speed": … }"#
    ),
    (
      "{\"bulkmigrate\": \"config/1\",\n \"options\": {\n  \"max-sped\": 1}}",
      #"3:3: unknown option "max-sped"; did you mean "max-speed"?"#
    ),
    (
      #"{"bulkmigrate": "config/1", "commands": {"travle": {}}}"#,
      #"1:42: unknown command "travle"; did you mean "travel"?"#
    ),
    (
      #"{"bulkmigrate": "config/1", "commands": {"travel": {"fetch": "curl"}}}"#,
      #"1:53: unknown option "fetch""#
    ),
    (
      #"{"bulkmigrate": "config/1", "options": {"fetch": "curl"}}"#,
      #"1:41: "fetch" cannot be set here: a file never names a command to execute"#
    ),
    (
      #"{"bulkmigrate": "config/1", "options": {"config": "a.json"}}"#,
      #"1:41: "config" cannot be set here: it names the file itself"#
    ),
    (
      #"{"bulkmigrate": "config/1", "options": {"night": "yes"}}"#,
      #"1:50: "night" is a text in place of true or false"#
    ),
    (
      #"{"bulkmigrate": "config/1", "options": {"max-speed": true}}"#,
      #"1:54: "max-speed" is a Boolean in place of a text or a number"#
    ),
    (
      #"{"bulkmigrate": "config/1", "options": {"max-speed": ["1"]}}"#,
      #"1:54: "max-speed" is an array in place of a text or a number"#
    ),
    (
      #"{"bulkmigrate": "config/1", "options": {"stop": ["a", null]}}"#,
      #"1:55: null is not a value of "stop""#
    ),
    (
      #"{"bulkmigrate": "config/1", "options": {"quiet": true, "quiet": true}}"#,
      #"1:56: "quiet" appears twice"#
    ),
    (
      #"{"bulkmigrate": "config/1", "options": []}"#,
      "1:40: what is set is an array in place of an object"
    ),
    ("[]", "1:1: a file of settings is an array in place of an object"),
    ("{", "1:2: expected a name in quotation marks, found the end"),
  ])
  func `what no command has is an error with its place`(text: String, message: String) throws {
    let error = try #require(throws: Refusal.self) { try read(text) }
    #expect(error.description == "\(directory.path("settings.json")):\(message)")
    #expect(error.exitCode == .badData)
  }

  @Test func `a value that the option refuses is an error with its place`() throws {
    let text = #"{"bulkmigrate": "config/1", "options": {"max-speed": "fast"}}"#
    let error = try #require(throws: Refusal.self) { try parsed(["here"], text) }
    #expect(
      error.description
        == "\(directory.path("settings.json")):1:54: max-speed: 'fast' is not a number"
    )
  }

  @Test func `a file that is named must be there, and none needs none`() throws {
    let missing = directory.path("missing.json")
    let error = try #require(throws: Refusal.self) {
      try Configuration.read(missing) { [] }
    }
    #expect(error.description == "\(missing) cannot be read: the file does not exist")
    #expect(error.exitCode == .noInput)
    #expect(try Configuration.read("none") { [] } == nil)
    let folder = try #require(throws: Refusal.self) {
      try Configuration.read(directory.path) { [] }
    }
    #expect(folder.description == "\(directory.path) cannot be read: it is not a file")
  }
}
