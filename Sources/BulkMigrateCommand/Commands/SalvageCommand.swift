import BulkExecute
import BulkPlan

struct SalvageCommand: ParsableCommand {
  var output = OutputOptions()
  var store = ""
  var copy: String?
  var limit = LossLimit.usual

  static let table = OptionTable(
    command: "salvage",
    summary: "Copy a store without its damaged pages, and list what is lost.",
    explanation: """
      Writes a copy of all that can be read, with the external values, and lists the pages that cannot be \
      read, with the keys that their rows may have. An index tells how many rows a page had; without one \
      it is the highest number possible. The copy's metadata keep the numbers, and plan, run and verify \
      repeat them. The store is only read; the copy appears under its name when it is complete.
      """,
    examples: [
      "bulkmigrate salvage Notes.sqlite -o Readable.sqlite": "See how much is lost.",
      "bulkmigrate salvage Notes.sqlite -o Readable.sqlite --max-loss 12":
        "Write the copy without up to 12 rows.",
    ],
    results: [.salvage],
    defaults: SalvageCommand(),
    options: [
      .value("output", short: "o", "COPY", \.copy).help("The copy; it must not be there yet."),
      .value("max-loss", "N", \.limit).help("How many rows may be lost: none, a number, or all."),
    ],
    operands: [.required("STORE", "The damaged store.", \.store)]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    guard let copy else { throw UsageError("no copy is named; pass --output") }
    let salvaged = try SalvagedStore.write(store, to: copy) { salvaged in
      guard !limit.allows(salvaged.rows) else { return }
      let lines =
        ["the copy would be without rows of \(store):"] + salvaged.lines
        + ["nothing was written; to allow it, pass --max-loss \(salvaged.rows)"]
      throw Refusal(.badData, lines.joined(separator: "\n"))
    }
    let copied = "\(copy): what can be read of \(store)"
    return try context.output.show(
      salvaged,
      as: .salvage,
      salvaged.lines.isEmpty
        ? ["\(copied), which is everything"] : ["\(copied); lost:"] + salvaged.lines
    )
  }
}
