@testable import BulkMigrateCommand

/// The arguments of a command that exists for the tests only, and its table.
struct TravelArguments: CommandArguments, Equatable {
  var output = OutputOptions()
  var speed = 0
  var stops: [String] = []
  var isNight = false
  var policies: [String: [String]] = [:]
  var origin = ""
  var destination = ""

  struct NotANumber: Error, CustomStringConvertible {
    let text: String
    var description: String { "'\(text)' is not a number" }
  }

  private static let manual = Manual(
    Manual.storeCommands + """


      # travel: Go somewhere.
      Goes from one place to another, by way of any number of stops.
      $ bulkmigrate travel here there
        Go straight.
      - FROM: Where to start.
      - TO: Where to go; home if left out.
      Limits:
      * -s, --max-speed KNOTS: The speed that is not exceeded. Only
          sailors need it.
      Advanced:
      - --stop PLACE: A place to stop at.
      - -n, --night: Travel by night.
      - --by VEHICLE: How to get from stop to stop.
      ! --max-speed --night TO
      & --by --stop
      """
  )

  static let table = OptionTable(
    "travel",
    of: manual,
    results: [.fixture, .record],
    defaults: TravelArguments(),
    options: [
      .value("max-speed") {
        guard let speed = Int($1) else { throw NotANumber(text: $1) }
        $0.speed = speed
      },
      .values("stop", \.stops).takingDash(),
      .flag("night", \.isNight),
      .value("by") { _, _ in },
    ],
    operands: [
      .required("FROM", \.origin),
      .optional("TO", \.destination),
    ]
  )
}
