import BulkTestSupport
import Foundation
import Testing

/// `mapping --try` on the examples of `Plans`, with stores that `fixture` makes.
@Suite(
  "Examples, tried",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct ExampleTrialTests {
  /// An example, the store that its mapping names with its rows, and what is printed of one object of each entity.
  struct Trial: Sendable, CustomTestStringConvertible {
    let name: String
    let store: String
    let rows: String
    let output: String

    init(_ name: String, _ store: String, _ rows: String, prints output: String) {
      (self.name, self.store, self.rows, self.output) = (name, store, rows, output)
    }

    var testDescription: String { name }
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Plans/examples").path

  @Test(arguments: trials)
  func `an example shows what becomes of its first object`(trial: Trial) throws {
    let program = try Program()
    let run = try program.shell(
      """
      cp -R '\(Self.folder)/\(trial.name)' example && cd example \\
        && "$0" fixture -q --model Source.xcdatamodel --rows \(trial.rows) -o \(trial.store) >/dev/null \\
        && "$0" mapping --try all.json --sample 1
      """
    )
    #expect(run.output == trial.output)
    #expect(run.errors == "")
    // The fixture gives e5 a text that is no data; the program has no transformer for e7.
    #expect(run.status == (["e5-binary", "e7-colors"].contains(trial.name) ? 65 : 0))
  }

  static let trials: [Trial] = [
    Trial(
      "e1-amount",
      "Orders.sqlite",
      "Order=3",
      prints: #"""
        OrderToOrder: Order to Order

          Order 1
            BEFORE           PROPERTY   AFTER     BY
            number 5086      number     5086      copied
            amount 39615.93  totalCost  39615.93  $source.amount

          1 object of 1 row shown

        3 pages read

        """#
    ),
    Trial(
      "e2-temperature",
      "Readings.sqlite",
      "Reading=3",
      prints: #"""
        ReadingToReading: Reading to Reading

          Reading 1
            BEFORE                        PROPERTY     AFTER               BY
            temperature 508.654703825272  temperature  264.80816879181776  ($source.temperature - 32.0) / 1.8

          1 object of 1 row shown

        3 pages read

        """#
    ),
    Trial(
      "e3-transactions",
      "Accounts.sqlite",
      "Account=2,Trade=3",
      prints: #"""
        AccountToAccount: Account to Account

          Account 1
            BEFORE                         PROPERTY      AFTER                     BY
            name "apples garden three we"  name          "apples garden three we"  copied
            trades [Trade 1, Trade 2]      transactions                            what TradeToTrade makes in a run

          1 object of 1 row shown

        TradeToTrade: Trade to Trade

          Trade 1
            BEFORE           PROPERTY  AFTER     BY
            amount 17588.67  amount    17588.67  copied
                             account             set from its inverse, if that is

          1 object of 1 row shown

        5 pages read

        """#
    ),
    Trial(
      "e4-addresses",
      "People.sqlite",
      "Person=3",
      prints: #"""
        PersonToAddress: Person to Address
          objects that agree in street, city, zip become one, which is not done here

          Person 1
            BEFORE                PROPERTY  AFTER            BY
            city "apples garden"  city      "apples garden"  copied
            street nil            street    nil              copied
            zip nil               zip       nil              copied
                                  people                     set from its inverse, if that is

          1 object of 1 row shown

        PersonToPerson: Person to Person

          Person 1
            BEFORE                 PROPERTY  AFTER             BY
            name "we apples 東京"  name      "we apples 東京"  copied
            Person 1               address                     what PersonToAddress makes in a run

          1 object of 1 row shown

        3 pages read

        """#
    ),
    Trial(
      "e5-binary",
      "Documents.sqlite",
      "Document=3",
      prints: #"""
        DocumentToDocument: Document to Document
          its objects are made by the policy Examples.DocumentToDocumentPolicy, which is not run here; these are the values of the expressions

          Document 1
            BEFORE                            PROPERTY  AFTER                    BY
            content "apples garden three we…  content   error                    CAST($source.content, "NSData")
              all.json:18:21: "apples garden three we apples 東京 from three we river garden notes café notes letter notes meeting notes for a a and" cannot be cast to NSData
                                              digest                             FUNCTION($entityPolicy, "dataFromHexadecimal:",…
              made by dataFromHexadecimal: of the policy Examples.DocumentToDocumentPolicy, which is not run here
            title "for winter for from a"     title     "for winter for from a"  copied

          1 object of 1 row shown

        3 pages read

        """#
    ),
    Trial(
      "e6-events",
      "Events.sqlite",
      "Event=3",
      prints: #"""
        EventToTimedEvent: Event to TimedEvent

          Event 1
            BEFORE                          PROPERTY  AFTER             BY
            timeStamp 2018-02-21T01:39:59Z  time      540869999.136572  CAST($source.timeStamp, "NSNumber")
                                            dated                       set from its inverse, if that is

          1 object of 1 row shown

        EventToDatedEvent: Event to DatedEvent

          Event 1
            BEFORE                          PROPERTY  AFTER                        BY
            timeStamp 2018-02-21T01:39:59Z  date      "2018-02-21 01:39:59 +0000"  CAST($source.timeStamp, "NSString")
                                            timed                                  set from its inverse, if that is

          1 object of 1 row shown

        3 pages read

        """#
    ),
    Trial(
      "e7-colors",
      "Swatches.sqlite",
      "Swatch=3",
      prints: #"""
        SwatchToSwatch: Swatch to Swatch

          Swatch 1
            BEFORE                         PROPERTY  AFTER                     BY
            color 142 bytes                color     error                     FUNCTION(FUNCTION(CAST("NSValueTransformer", "C…
              all.json:17:19: this program has no transformer ColorTransformer
            name "apples garden three we"  name      "apples garden three we"  copied

          1 object of 1 row shown

        3 pages read

        """#
    ),
    Trial(
      "tags",
      "Notes.sqlite",
      "Note=3",
      prints: #"""
        NoteToTag: Note to Tag
          objects that agree in name become one, which is not done here

          Note 1, element 1 of 1: "apples garden"
            BEFORE  PROPERTY  AFTER            BY
                    name      "apples garden"  $element
                    notes                      set from its inverse, if that is

          1 object of 1 row shown

        NoteToNote: Note to Note

          Note 1
            BEFORE                            PROPERTY  AFTER                             BY
            text "we apples 東京 from three…  text      "we apples 東京 from three we r…  copied
            Note 1                            tags                                        what NoteToTag makes in a run

          1 object of 1 row shown

        3 pages read

        """#
    ),
  ]

  @Test(.enabled(if: SharedData.isPresent, "skips because ../shared/data is not there"))
  func `a real mapping of Xcode is tried on a real store, from its first pages`() throws {
    let program = try Program()
    let folder = SharedData.path("wibosco")
    let run = try program(
      "mapping",
      "--try",
      folder + "/Migration1to2.xcmappingmodel",
      "--source",
      folder + "/CoreDataMigration_Example_1.sqlite",
      "--source-model",
      folder + "/CoreDataMigration_Example.xcdatamodeld",
      "--sample",
      "1"
    )
    #expect(run.status == 0)
    #expect(
      run.output == """
        PostToPost: Post to Post

          Post 1
            BEFORE                            PROPERTY  AFTER                             BY
            date 2017-09-12T13:03:58Z         date      2017-09-12T13:03:58Z              copied
            color "6343E2"                    hexColor  "6343E2"                          $source.color
            postID "F3848AF4-92F0-45B1-9748…  postID    "F3848AF4-92F0-45B1-9748-517822…  copied

          1 object of 1 row shown

        4 pages read

        """
    )
  }
}
