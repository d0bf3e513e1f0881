@testable import BulkMigrateCommand

/// A command that exists for the tests only, with operands and options of others.
enum Travel {
  static let manual = Manual(
    Manual.storeCommands + """


      # travel FILE [ENTITY]: Go somewhere.
      Goes from one place to another, by way of any number of stops.
      $ bulkmigrate travel here there
        Go straight.
      - FILE: Where to start.
      - ENTITY: Where to go; home if left out.
      Limits:
      * -s, --seed KNOTS: The speed that is not exceeded. Only
          sailors need it.
      Advanced:
      - --model PLACE: A place to stop at.
      - -n, --watch: Travel by night.
      - --scratch VEHICLE: How to get from stop to stop.
      - --page FILE: Where to write about it.
      ! --seed --watch ENTITY
      & --scratch --model
      """
  )

  static let table = OptionTable("travel", of: manual, results: [.fixture, .record])
}
