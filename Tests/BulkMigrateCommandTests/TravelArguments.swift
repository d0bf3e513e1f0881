@testable import BulkMigrateCommand

/// The arguments of a command that exists for the tests only, and its table.
struct TravelArguments: CommandArguments, Equatable {
  var output = OutputOptions()
  var speed = 0
  var stops: [String] = []
  var isNight = false
  var origin = ""
  var destination = ""

  struct NotANumber: Error, CustomStringConvertible {
    let text: String
    var description: String { "'\(text)' is not a number" }
  }

  static let table = OptionTable(
    command: "travel",
    summary: "Go somewhere.",
    explanation: "Goes from one place to another, by way of any number of stops.",
    examples: ["bulkmigrate travel here there": "Go straight."],
    results: [.fixture, .record],
    defaults: TravelArguments(),
    options: [
      .value("max-speed", short: "s", "KNOTS") {
        guard let speed = Int($1) else { throw NotANumber(text: $1) }
        $0.speed = speed
      }.help("The speed that is not exceeded."),
      .values("stop", "PLACE", \.stops).help("A place to stop at."),
      .flag("night", short: "n", \.isNight).help("Travel by night."),
    ],
    operands: [
      .required("FROM", "Where to start.") { $0.origin = $1 },
      .optional("TO", "Where to go; home if left out.") { $0.destination = $1 },
    ]
  )
}
