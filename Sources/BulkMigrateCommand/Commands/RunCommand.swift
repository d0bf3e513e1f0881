import BulkExecute

enum RunCommand {
  static let command = Command(table) { arguments, context in
    let start: Migration.Start =
      arguments.restarts
      ? .restart : arguments.resumesIfStarted ? .resumeOrBegin : .begin
    return try MigrationRun(arguments: arguments, context: context).run(start)
  }

  private static let table = OptionTable(
    command: "run",
    summary: "Carry out a plan.",
    explanation: """
      Makes the destination that a plan describes, pass by pass and in batches, within the memory \
      limit. The destination appears under its name when it is whole and on the disk, or not at all; \
      an existing one is never overwritten. A plan whose inputs have changed is refused. SIGINT, \
      SIGTERM and SIGHUP stop it within ten seconds, with what is done kept; a second one stops it at \
      once. With --json it prints a line for the plan, every stage, batch, checkpoint, pass and warning, and last one \
      for the result; with --quiet the last line alone.
      """,
    examples: [
      "bulkmigrate run --max-memory 256M": "Carry out the plan in this folder.",
      "bulkmigrate run --plan notes.plan.json": "Carry out another plan.",
      "bulkmigrate run --resume-if-started --json":
        "For a scheduler: begin, continue, or find that it is done; all with exit code 0 in the end.",
    ],
    results: [.record],
    defaults: RunArguments(),
    options: RunArguments.options + [
      .flag("restart", \.restarts).help(
        "Give up an interrupted migration of the same destination, and start over."
      ),
      .flag("resume-if-started", \.resumesIfStarted).help(
        "Go on with an interrupted migration; keep a receipt, and say already where it is done."
      ),
    ]
  )
}

enum ResumeCommand {
  static let command = Command(table) { arguments, context in
    try MigrationRun(arguments: arguments, context: context).run(.resume)
  }

  private static let table = OptionTable(
    command: "resume",
    summary: "Resume an interrupted migration.",
    explanation: """
      Continues where the last checkpoint beside the destination says, and ends with the same bytes as \
      if nothing had happened. It knows the plan and the memory limit of the interrupted run. The plan, \
      the models, the mapping and the source must be what they were; if they are not, it says so and \
      changes nothing. A migration that is shorter than one batch has no checkpoint: run it again. Prints the \
      lines that run prints with --json.
      """,
    examples: [
      "bulkmigrate resume": "Go on with the migration of the plan in this folder.",
      "bulkmigrate resume --plan notes.plan.json": "Go on with that of another plan.",
      "bulkmigrate resume --state-dir Notes-v3.sqlite.bulkmigrate":
        "Go on with what a state directory holds.",
    ],
    results: [.record],
    defaults: RunArguments(),
    shared: [SharedOptions(of: "run", RunArguments.options)]
  )
}
