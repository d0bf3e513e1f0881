import BulkCoding
import Testing

@testable import BulkMigrateCommand

@Suite("Help")
struct HelpTests {
  @Test func `a command's help is made from its rows`() {
    #expect(
      TravelArguments.table.help == """
        usage: bulkmigrate travel [options] FROM [TO]

        Goes from one place to another, by way of any number of stops.

        Examples:
          bulkmigrate travel here there
              Go straight.

        Operands:
          FROM  Where to start.
          TO    Where to go; home if left out.

        Advanced:
          -s, --max-speed KNOTS  The speed that is not exceeded.
              --stop PLACE …     A place to stop at.
          -n, --night            Travel by night.

        With --json it prints fixture/1 or record/1, which a schema in Plans/schemas
        describes.

        Options of every command, and variables that set options: bulkmigrate help
        """
    )
  }

  @Test func `a long example is broken before an option so that it can still be pasted`() {
    var help = HelpText()
    let words = "bulkmigrate plan --source Notes.sqlite --destination Notes-v2.sqlite"
    help.addExamples([words + " --destination-model Notes.xcdatamodeld": "Plan."])
    #expect(
      help.text == """
        Examples:
          bulkmigrate plan --source Notes.sqlite --destination Notes-v2.sqlite \\
              --destination-model Notes.xcdatamodeld
              Plan.
        """
    )
  }

  @Test func `a long name has its explanation on the next line`() {
    var help = HelpText()
    help.addList("Options", [("--destination-model-version NAME", "Its name."), ("-x", "Other.")])
    #expect(
      help.text == """
        Options:
          --destination-model-version NAME
                                      Its name.
          -x                          Other.
        """
    )
  }

  @Test func `no line of a long help is wider than 80 columns`() {
    var help = HelpText()
    help.addParagraph(String(repeating: "word ", count: 60))
    help.addList("Options", [("--name VALUE", String(repeating: "explained ", count: 30))])
    let widths = help.text.split(separator: "\n").map { String($0).displayWidth }
    #expect(widths.max() == 79)
  }

  @Test func `each option is explained once, and there are few`() {
    let commands = CommandLineTool.table.allDescriptions
    let rows = commands.flatMap { HelpTables.CommandEntry($0).options }
    #expect(rows.count + OutputOptions.common.count <= 150)
    for command in commands {
      for shared in command.shared {
        let explained = commands.first { $0.name == shared.command }.map {
          HelpTables.CommandEntry($0).options.flatMap(\.forms)
        }
        #expect(Set(shared.options).isSubset(of: explained ?? []), "\(command.name)")
      }
    }
  }
}
