import BulkSupport
import Testing

@testable import BulkMigrateCommand

struct HelpTests {
  @Test func `a command's help is made from its rows`() {
    #expect(
      Travel.table.help == """
        usage: bulkmigrate travel [options] FILE [ENTITY]

        Goes from one place to another, by way of any number of stops.

        Examples:
          bulkmigrate travel here there
              Go straight.

        Operands:
          FILE    Where to start.
          ENTITY  Where to go; home if left out.

        Limits:
          -s, --seed KNOTS  The speed that is not exceeded. Only sailors need it.

        Advanced:
              --model PLACE …    A place to stop at.
          -n, --watch            Travel by night.
              --scratch VEHICLE  How to get from stop to stop.
              --page FILE        Where to write about it.

        With --json it prints fixture/1 or record/1, which a schema in Plans/schemas
        describes.

        Options of every command, and variables that set options: bulkmigrate help
        """
    )
  }

  @Test func `a long example is broken before an option so that it can still be pasted`() {
    var help = HelpText()
    let words = "bulkmigrate plan --source Notes.sqlite --destination Notes-v2.sqlite"
    help.addExamples([(words + " --destination-model Notes.xcdatamodeld", "Plan.")])
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
    let commands = CommandLineTool.table.descriptions
    let rows = commands.flatMap(\.ownOptions)
    #expect(rows.count + CommandLineTool.table.common.count <= 150)
    for command in commands {
      for shared in command.sharedOptions {
        let explained = commands.first { $0.name == shared.command }?.ownOptions.map(\.longForm)
        #expect(Set(shared.options).isSubset(of: explained ?? []), "\(command.name)")
      }
    }
  }

  @Test func `the manual explains every word of a command, and nothing else`() {
    let table = CommandLineTool.table
    let commands = table.commands.map { table.description(of: $0) }
    let groups = Dictionary(grouping: commands.map(\.name)) { String($0.prefix { $0 != " " }) }
    var explained: Set<[String]> = []
    for command in commands {
      let words =
        command.options.map { ($0.home ?? command.name, $0.name, $0.text.placeholder != nil) }
      for (option, (home, name, hasPlaceholder)) in zip(command.options, words) {
        #expect(option.text.help != "", "\(command.name) --\(name)")
        #expect(option.takesValue == hasPlaceholder, "\(command.name) --\(name)")
        #expect(Manual.groups.contains(option.text.group), "\(command.name) --\(name)")
        explained.insert([home, name])
      }
      for operand in command.operands {
        #expect(operand.text.help != "", "\(command.name) \(operand.name)")
        explained.insert([command.name, operand.name])
      }
    }
    for command in commands.map(\.name) {
      for entry in Manual.program[command].entries {
        let users = groups[command] ?? [command]
        #expect(
          users.contains { explained.contains([$0, entry.name]) },
          "\(command) \(entry.name)"
        )
      }
    }
    let shared = Set(explained.map { $0[1] })
    for entry in Manual.program[Manual.name].entries { #expect(shared.contains(entry.name)) }
    let variables = Manual.program[HelpTopic.environment.rawValue].entries.map(\.name)
    #expect(variables == OptionRow.variables.map(\.environmentName) + ["SQLITE_TMPDIR"])
  }
}
