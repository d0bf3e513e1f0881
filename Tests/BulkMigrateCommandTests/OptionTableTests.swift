import BulkFixture
import Testing

@testable import BulkMigrateCommand

struct OptionTableTests {
  @Test(arguments: [
    ["--seed", "12", "here"],
    ["--seed=12", "here"],
    ["-s", "12", "here"],
    ["-s12", "here"],
    ["here", "-s12"],
  ])
  func `a value may follow its option or be attached to it`(words: [String]) throws {
    let arguments = try parsed(words)
    #expect(arguments.fixture.seed == 12)
    #expect(arguments.file == "here")
  }

  @Test func `a repeatable option collects its values in order`() throws {
    #expect(try parsed(["--model", "b", "here", "--model=a"]).modelFiles == ["b", "a"])
  }

  @Test func `an attached value may begin with a dash or hold an equals sign`() throws {
    let arguments = try parsed(["--model=--x", "--model=a=b", "here"])
    #expect(arguments.modelFiles == ["--x", "a=b"])
  }

  @Test func `two dashes make operands of all that follows`() throws {
    let arguments = try parsed(["-n", "--", "--watch", "-s"])
    #expect(arguments.file == "--watch")
    #expect(arguments.entity == "-s")
    #expect(arguments.watches)
  }

  @Test func `a single dash is a value where it stands for a stream`() throws {
    #expect(try parsed(["here", "--page", "-"]).fleetPage == "-")
  }

  @Test func `a variable is not read that a typed word excludes`() throws {
    #expect(try parsed(["a", "-n"], ["BULKMIGRATE_SEED": "7"]).fixture.seed == 1)
  }

  @Test func `every table understands the options about output`() throws {
    let arguments = try parsed(["--json", "-q", "--no-color", "here"])
    #expect(
      arguments.output
        == OutputOptions(isJSON: true, isQuiet: true, isColorless: true)
    )
  }

  @Test(arguments: [
    (["--seeed", "1", "a"], "unknown option --seeed; did you mean --seed?"),
    (["--wacth", "a"], "unknown option --wacth; did you mean --watch?"),
    (["--weather", "a"], "unknown option --weather"),
    (
      ["--config", "a.json", "a"],
      "unknown option --config; set variables such as BULKMIGRATE_MAX_MEMORY; see: bulkmigrate help environment"
    ),
    (["-x", "a"], "unknown option -x"),
    (["a", "--seed"], "--seed needs a value: --seed KNOTS"),
    (["a", "-s"], "-s needs a value: -s KNOTS"),
    (["--seed", "--watch", "a"], "--seed needs a value: --seed KNOTS"),
    (["--seed=", "a"], "--seed needs a value: --seed KNOTS"),
    (["--model", "", "a"], "--model needs a value: --model PLACE"),
    (["--seed=fast", "a"], "--seed: 'fast' is not a whole number"),
    (["-s", "1", "--seed=2", "a"], "--seed is given twice"),
    (["--watch", "-n", "a"], "--watch is given twice"),
    (["--watch=yes", "a"], "--watch takes no value, but 'yes' is attached to it"),
    (["-nq", "a"], "-n takes no value, but 'q' is attached to it"),
    (["-vq", "a"], "-v takes no value, but 'q' is attached to it"),
    ([], "missing operand FILE"),
    ([""], "missing operand FILE"),
    (["-n", "-s", "1", "a"], "--watch and --seed exclude each other"),
    (["--seed=1", "a", "b"], "--seed and ENTITY exclude each other"),
    (["a", "--scratch", "b"], "--scratch has no effect without --model"),
    (
      ["a", "--model", "b", "--scratch", "-"],
      "--scratch: - is not a file here; write ./- for one of this name"
    ),
    (["a", "b", "c"], "unexpected argument 'c'"),
  ])
  func `a mistake is named, with a way out where there is one`(words: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try parsed(words) }
    #expect(error?.description == message)
    #expect(error?.exitCode.rawValue == 64)
  }

  @Test func `a variable of the environment stands in for an option that was not typed`() throws {
    let environment = ["BULKMIGRATE_SEED": "7", "BULKMIGRATE_MODEL": "b"]
    let arguments = try parsed(["here"], environment)
    #expect(arguments.fixture.seed == 7)
    #expect(arguments.modelFiles == ["b"])
    #expect(try parsed(["here", "-s8"], environment).fixture.seed == 8)
  }

  @Test func `each line of a variable is a value of an option that may be repeated`() throws {
    let environment = ["BULKMIGRATE_MODEL": "b\na"]
    #expect(try parsed(["here"], environment).modelFiles == ["b", "a"])
    #expect(try parsed(["here", "--model", "c"], environment).modelFiles == ["c"])
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
    let environment = ["BULKMIGRATE_SEED": "", "BULKMIGRATE_WATCH": "0"]
    let arguments = try parsed(["here"], environment)
    #expect(arguments.fixture.seed == 1)
    #expect(!arguments.watches)
  }

  @Test(arguments: [
    (["BULKMIGRATE_SEED": "fast"], "BULKMIGRATE_SEED: 'fast' is not a whole number"),
    (["BULKMIGRATE_WATCH": "often"], "BULKMIGRATE_WATCH: 'often' is neither 1 nor 0"),
  ])
  func `a refused variable is named`(environment: [String: String], message: String) {
    let error = #expect(throws: UsageError.self) { try parsed(["here"], environment) }
    #expect(error?.description == message)
  }

  @Test(arguments: [["--help"], ["-h"], ["a", "b", "-h"], ["--watch", "--help", "--nonsense"]])
  func `a request for help overrules what is typed around it`(words: [String]) throws {
    guard case .help = try Travel.table.parse(words) else {
      Issue.record("help was not asked for")
      return
    }
  }

  private func parsed(
    _ words: [String],
    _ environment: [String: String] = [:]
  ) throws -> Arguments {
    switch try Travel.table.parse(words, environment: environment) {
    case .run(let arguments, _): return arguments
    case .help: throw UsageError("help was asked for")
    }
  }
}
