import Testing

@testable import BulkMigrateCommand

@Suite("Option tables")
struct OptionTableTests {
  @Test(arguments: [
    ["--max-speed", "12", "here"],
    ["--max-speed=12", "here"],
    ["-s", "12", "here"],
    ["-s12", "here"],
    ["here", "-s12"],
  ])
  func `a value may follow its option or be attached to it`(words: [String]) throws {
    let arguments = try parsed(words)
    #expect(arguments.speed == 12)
    #expect(arguments.origin == "here")
  }

  @Test func `a repeatable option collects its values in order`() throws {
    #expect(try parsed(["--stop", "b", "here", "--stop=a"]).stops == ["b", "a"])
  }

  @Test func `an attached value may begin with a dash or hold an equals sign`() throws {
    let arguments = try parsed(["--stop=--x", "--stop=a=b", "here"])
    #expect(arguments.stops == ["--x", "a=b"])
  }

  @Test func `two dashes make operands of all that follows`() throws {
    let arguments = try parsed(["-n", "--", "--night", "-s"])
    #expect(arguments.origin == "--night")
    #expect(arguments.destination == "-s")
    #expect(arguments.isNight)
  }

  @Test func `a single dash is an operand or a value`() throws {
    let arguments = try parsed(["-", "--stop", "-"])
    #expect(arguments.origin == "-")
    #expect(arguments.stops == ["-"])
  }

  @Test func `a variable is not read that a typed word excludes`() throws {
    #expect(try parsed(["a", "-n"], ["BULKMIGRATE_MAX_SPEED": "7"]).speed == 0)
  }

  @Test func `every table understands the options about output`() throws {
    let arguments = try parsed(["--json", "-q", "--no-color", "here"])
    #expect(
      arguments.output
        == OutputOptions(isJSON: true, isQuiet: true, isColorless: true)
    )
  }

  @Test(arguments: [
    (["--max-sped", "1", "a"], "unknown option --max-sped; did you mean --max-speed?"),
    (["--nihgt", "a"], "unknown option --nihgt; did you mean --night?"),
    (["--weather", "a"], "unknown option --weather"),
    (
      ["--config", "a.json", "a"],
      "unknown option --config; set variables such as BULKMIGRATE_MAX_MEMORY; see: bulkmigrate help environment"
    ),
    (["-x", "a"], "unknown option -x"),
    (["a", "--max-speed"], "--max-speed needs a value: --max-speed KNOTS"),
    (["a", "-s"], "-s needs a value: -s KNOTS"),
    (["--max-speed", "--night", "a"], "--max-speed needs a value: --max-speed KNOTS"),
    (["--max-speed=", "a"], "--max-speed needs a value: --max-speed KNOTS"),
    (["--stop", "", "a"], "--stop needs a value: --stop PLACE"),
    (["--max-speed=fast", "a"], "--max-speed: 'fast' is not a number"),
    (["-s", "1", "--max-speed=2", "a"], "--max-speed is given twice"),
    (["--night", "-n", "a"], "--night is given twice"),
    (["--night=yes", "a"], "--night takes no value, but 'yes' is attached to it"),
    (["-nq", "a"], "-n takes no value, but 'q' is attached to it"),
    (["-vq", "a"], "-v takes no value, but 'q' is attached to it"),
    ([], "missing operand FROM"),
    ([""], "missing operand FROM"),
    (["-n", "-s", "1", "a"], "--night and --max-speed exclude each other"),
    (["--max-speed=1", "a", "b"], "--max-speed and TO exclude each other"),
    (["a", "--by", "b"], "--by has no effect without --stop"),
    (["a", "--stop", "b", "--by", "-"], "--by: - is not a file here; write ./- for one of this name"),
    (["a", "b", "c"], "unexpected argument 'c'"),
  ])
  func `a mistake is named, with a way out where there is one`(words: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try parsed(words) }
    #expect(error?.description == message)
    #expect(error?.exitCode.rawValue == 64)
  }

  @Test func `a variable of the environment stands in for an option that was not typed`() throws {
    let environment = ["BULKMIGRATE_MAX_SPEED": "7", "BULKMIGRATE_STOP": "b"]
    let arguments = try parsed(["here"], environment)
    #expect(arguments.speed == 7)
    #expect(arguments.stops == ["b"])
    #expect(try parsed(["here", "-s8"], environment).speed == 8)
  }

  @Test func `each line of a variable is a value of an option that may be repeated`() throws {
    let environment = ["BULKMIGRATE_STOP": "b\na"]
    #expect(try parsed(["here"], environment).stops == ["b", "a"])
    #expect(try parsed(["here", "--stop", "c"], environment).stops == ["c"])
  }

  @Test(arguments: [
    (["-v", "here"], 1), (["-vv", "here"], 2), (["-v", "here", "--verbose"], 2), (["here"], 0),
  ])
  func `an option that counts adds up`(words: [String], count: Int) throws {
    #expect(try parsed(words).output.verbosity == count)
    #expect(
      try parsed(words, ["BULKMIGRATE_VERBOSE": "7"]).output.verbosity == (count == 0 ? 7 : count)
    )
  }

  @Test func `an empty variable counts as none, and 0 leaves a flag alone`() throws {
    let environment = ["BULKMIGRATE_MAX_SPEED": "", "BULKMIGRATE_NIGHT": "0"]
    let expected = TravelArguments(origin: "here")
    #expect(try parsed(["here"], environment) == expected)
  }

  @Test(arguments: [
    (["BULKMIGRATE_MAX_SPEED": "fast"], "BULKMIGRATE_MAX_SPEED: 'fast' is not a number"),
    (["BULKMIGRATE_NIGHT": "often"], "BULKMIGRATE_NIGHT: 'often' is neither 1 nor 0"),
  ])
  func `a refused variable is named`(environment: [String: String], message: String) {
    let error = #expect(throws: UsageError.self) { try parsed(["here"], environment) }
    #expect(error?.description == message)
  }

  @Test(arguments: [["--help"], ["-h"], ["a", "b", "-h"], ["--night", "--help", "--nonsense"]])
  func `a request for help overrules what is typed around it`(words: [String]) throws {
    guard case .help = try TravelArguments.table.parse(words) else {
      Issue.record("help was not asked for")
      return
    }
  }

  private func parsed(
    _ words: [String],
    _ environment: [String: String] = [:]
  ) throws -> TravelArguments {
    switch try TravelArguments.table.parse(words, environment: environment) {
    case .run(let arguments, _): return arguments
    case .help: throw UsageError("help was asked for")
    }
  }
}
