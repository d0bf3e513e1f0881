import BulkPlan

extension Manual {
  static let storeCommands = """
    # bulkmigrate
    Migrates Core Data stores in SQLite files from one version of their model to another, without Apple's frameworks and
    within a memory limit. The source is only read; the destination appears under its name when it is complete.
    $ bulkmigrate inspect Notes.sqlite
      See the contents and the version of a store.
    $ bulkmigrate plan --source Notes.sqlite --destination Notes-v2.sqlite --destination-model Notes.xcdatamodeld
      See what a migration would do, and write it to bulkmigrate.plan.json.
    $ bulkmigrate run --max-memory 256M
      Carry out the plan in this folder.
    - MIGRATION: A plan, a state directory, or a store that migrate works on; without it the plan in this folder.
    Input:
    * --policy NAME=COMMAND: A program that takes the place of a policy class, as SplitName='python3 split_name.py'. It
        is split into words as a shell does, but runs without a shell. It is not saved, and no variable names it: pass
        it to resume and rejects replay again.
    * --mapping FILE: A mapping file, which may name stores and models too, an .xcmappingmodel or a .cdm. Several
        together are one mapping of one pair of versions, in this order.
    Limits:
    * -m, --max-memory SIZE: Memory the process may hold.
    Advanced:
    - --json: Print the result as JSON.
    - -q, --quiet: Print results, warnings and errors only.
    - --no-color: Use no color; NO_COLOR in the environment does the same.
    - -v, --verbose: Report decisions and their reasons; -vv also reports every statement of SQL and every extent of pages
        written.
    - -h, --help: Show this help.
    ! --quiet --verbose

    # inspect FILE: Describe a store, a model or a mapping file.
    Shows the entities with rows and bytes, the version of the model, the version hashes, and which model opens a store.
    The file is only read; nothing beside it is made or changed. It ends with 1 if models are named with --model and
    none of them opens the store.
    $ bulkmigrate inspect Notes.sqlite
      See what a store holds.
    $ bulkmigrate inspect Notes.sqlite --model Notes.xcdatamodeld
      See which version of a model opens a store, and what the others lack.
    $ bulkmigrate inspect Notes.sqlite --models . --metadata-only
      See which version a store is, in milliseconds.
    $ bulkmigrate inspect Notes.xcdatamodeld
      See the versions of a model.
    - FILE: A store, .xcdatamodel, .xcdatamodeld, .mom, .momd or mapping (.json, .xcmappingmodel, .cdm).
    Input:
    * --model MODEL: A model, or all versions of one, to compare a store with.
    * --models DIR: Where the versions of a store's model are, to find which of them it is: a folder, which is searched,
        a model, a package of versions, or a store of each.
    - --configuration NAME: The configuration of the models to compare the store with; without it, whole models and the
        configuration that the store has.
    - --metadata-only: Count no rows: takes milliseconds however large a store is.

    # check STORE…: Check that an app opens the stores of its earlier versions.
    Checks every store against every version as Core Data and SwiftData would: it has the version, inference reaches it
    (light), code must prepare the rows first (custom), or inference refuses the change, so that no single stage makes
    it (refused). For a store that no version fits it shows what was changed after it shipped, and the error of the app.
    Only mapping models of Xcode count: the app cannot read JSON mappings. Models and metadata are read, and no rows. It
    ends with 1 where the current version does not open a store, or the versions contradict one another, and with 65 or
    66 where a store cannot be read.
    $ bulkmigrate check Stores/v1.store Stores/v2.store --models Stores
      Check an app on SwiftData that keeps a store of each version.
    $ bulkmigrate check Tests/*.sqlite --models App.xcdatamodeld --mappings App
      Check an app on Core Data, with its mapping models.
    $ bulkmigrate check v1.store --models Stores --stage 1.0.0:2.0.0 --markdown
      Name the custom stages, and print a table for a pull request.
    $ bulkmigrate check --sources stores.txt --models App.xcdatamodeld
      See for many stores which version each is, and how it reaches the current one.
    - STORE: The stores, as versions of the app have written them.
    Input:
    * --models DIR: Where the versions of the app are: a folder, which is searched, a model, a package of versions, or a
        store of each.
    * --mappings DIR: Where the app's mapping models are; folders are searched.
    - --stage FROM:TO: A custom stage of the app, by the names or identifiers of two versions: its code prepares the
        rows. With it the stages between are checked one by one.
    * --to VERSION: The version that opens the stores; the current one, or the last by name where none is marked.
    - --configuration NAME: The configuration of the models whose entities the stores have.
    - --sources FILE: A list of stores, one a line; - is standard input.
    Output:
    - --markdown: Print the tables in Markdown.
    ! --markdown --json

    # preflight: Report the problems of a migration before it runs, and write nothing.
    Carries a plan out as far as it decides which objects break rules of the destination's model, and reads the source
    for keys that point to no object, for one-sided links, and for external values without their files. Each finding has its
    count, the first keys, what happens to the objects, and a remedy; the counts are those of run --on-error
    quarantine. An inferred migration keeps what breaks rules, as Core Data does; that is shown, too. It takes a plan,
    or a mapping file that names stores and models; without either the plan in this folder. Nothing is written but
    temporary files, which hold keys, links and values for the rules. Ends with 0, or with 65 if --strict and
    something was found.
    $ bulkmigrate preflight
      Check the plan in this folder.
    $ bulkmigrate preflight --mapping all.json --strict
      For a script: plan, and check.
    $ bulkmigrate preflight --sample 1%
      Check some rows of a very large store.
    Input:
    = --policy
    * --plan FILE: The plan to check.
    = --mapping
    What may be lost:
    - --dependants ACTION: As for run: what happens to objects with a link to one that is left out, nullify or reject.
    Limits:
    * --sample SHARE: Read a share of the rows of each table (1%), at least some 256, which are chosen by their keys.
        Rules about links and other rows are not checked.
    = --max-memory
    Output:
    - --strict: End with 65 if anything was found.
    ! --plan --mapping

    # plan [PLAN]: Preview a migration and write the plan, or show a plan.
    Reads the models and the source's metadata, takes from a mapping how the entities map or infers it, counts rows, and
    divides the work into passes. Nothing but the plan is written. Options override the mapping file. A
    model is named by an .xcdatamodel, an .xcdatamodeld or .momd (its current version), a .mom, or a store that keeps
    its model. --quiet prints warnings alone. With PLAN that plan is shown again, and nothing is written.
    $ bulkmigrate plan --mapping all.json
      Plan what a mapping file describes.
    $ bulkmigrate plan --source Books.sqlite --destination Books-v3.sqlite --mapping Books.xcmappingmodel --mapping Users.xcmappingmodel
      Plan one migration by two mapping models, each in passes of its own.
    $ bulkmigrate plan --source Notes.sqlite --destination Notes-v2.sqlite --destination-model Notes.xcdatamodeld
      Plan the migration to the current version of a model.
    $ bulkmigrate plan --source Notes.sqlite --destination Notes-now.sqlite --models Notes.xcdatamodeld --mappings Mappings
      Find out which version the store is, and plan the route to the current one.
    $ bulkmigrate plan bulkmigrate.plan.json --full
      Show every entity of a plan.
    $ bulkmigrate plan --diff bulkmigrate.plan.json
      See what has changed since a plan was made: entities, counts, losses and cost.
    - PLAN: A plan to show, or to compare with that of --diff.
    Input:
    = --mapping
    * --source STORE: The store to read.
    * --destination STORE: The store to make; it must not exist yet.
    * --source-model MODEL: The model that wrote the source. Default: the version that fits.
    * --destination-model MODEL: The model of the destination.
    * --models DIR: Where the versions of the model are: a folder, which is searched, a model, a package of versions, or
        a store of each. The source's version is found there, and the route to the current one.
    * --mappings DIR: Where mappings from version to version are; folders are searched. Several for one pair of versions
        together are one mapping, in the order of their paths.
    * --to VERSION: The version at the end of the route, by its name.
    - --configuration NAME: The configuration of the models whose entities the store has. The others live in stores of
        their own, each with a migration of its own.
    - --new-identifier: Give the destination an identifier of its own, as to both stores that one is split into. It follows
        from that of the source and the destination's entities. URIs of objects hold it: those kept elsewhere lead to none.
    - --strategy NAME: rebuild writes all rows into a new file, even if the store fits the model already and no mapping
        is named; copy copies the file and changes the copy, where rows keep their keys. Without it the cheaper one is
        chosen.
    = --policy
    What may be lost:
    - --ignore-mapping FILE: Do not use this mapping. A mapping for this route whose models have changed since it was
        saved is otherwise refused: inference would lose what it carries.
    - --no-infer: Infer nothing: only mappings count, for every step of a route.
    - --like-core-data: Refuse what Core Data refuses to infer, to test an app: external storage that is no longer
        allowed, to-many that becomes to-one, to-one that becomes to-many without inverse. Do lightweight stages at
        once.
    - --allow NAME: Allow what is otherwise refused, or done with loss: \(allowances).
    * --max-loss N: How many objects, values and links may be lost: none, a number, or all. Beyond it no plan is
        written. Without it every plan is written, and shows which limit run needs. Of a route in several legs the
        losses of the first are counted; run refuses those of the others.
    Output:
    - --full: Print every entity, even if there are more than 20, passes without rows, and how the memory is divided.
    - --markdown: Print tables in Markdown, for a pull request.
    * -o, --output PLAN: Where to write the plan; - for standard output, in place of its text.
    - --detailed-exitcode: End with 2 if there is work to do, or a difference, and with 0 if there is none.
    * --diff PLAN: Show the differences to another plan: the one named, or that of the same stores, models and mappings
        now. Nothing is written.
    Advanced:
    - --no-fuse: Do the steps of a route one by one, even where several can be done as one.
    ! --markdown --json
    ! PLAN --mapping --source --destination --source-model --destination-model --models --mappings --to --configuration
    ! PLAN --new-identifier --strategy --policy --ignore-mapping --no-infer --like-core-data --allow --max-loss --output --no-fuse
    ! --diff --mapping --source --destination --source-model --destination-model --models --mappings --to --configuration
    ! --diff --new-identifier --strategy --ignore-mapping --no-infer --like-core-data --allow --max-loss --output --no-fuse
    ! --diff --full --markdown

    # run: Carry out a plan.
    Makes the destination that a plan describes, pass by pass and in batches, within the memory limit. The destination
    appears under its name when it is complete and on the disk, or not at all; an existing one is never overwritten. A plan
    whose inputs have changed is refused. SIGINT, SIGTERM and SIGHUP stop it within ten seconds, with what is done kept;
    a second one stops it at once. With --json it prints a line for the plan, every stage, batch, checkpoint, pass and
    warning, and a last one for the result; with --quiet the last line alone.
    $ bulkmigrate run --max-memory 256M
      Carry out the plan in this folder.
    $ bulkmigrate run --plan notes.plan.json
      Carry out another plan.
    $ bulkmigrate run --resume-if-started --json
      For a scheduler: begin, continue, or find that it is done; all with exit code 0 in the end.
    Input:
    * --plan FILE: The plan to carry out.
    - --state-dir DIR: The folder of checkpoints and the unfinished store.
    = --policy
    What may be lost:
    * --on-error ACTION: What happens to objects that break rules of the model, or whose expressions fail: stop
        lists them and makes no destination; quarantine leaves them out, keeps them in the state directory under
        rejects, and ends with 3. Default: stop, or that of the run that is resumed.
    - --max-rejects N: With --on-error quarantine: how many objects may be left out, a number or a share of the rows
        (1%). Beyond it the run ends with 1, and resume with a larger limit continues. Default: all.
    - --dependants ACTION: What happens to objects with a link to one that is left out: nullify sets the relationship to
        nil, where the model allows it; reject leaves them out too. Default: nullify.
    * --max-loss N: How many objects, values and links may be lost: none, a number, or all. Beyond it nothing is
        started, or nothing published. Default: none, so nothing may be lost, or that of the run that is resumed.
    Limits:
    * -m, --max-memory SIZE: Memory the process may hold: 256M, 1G, or 25% of the machine's. Default: 256 MiB, or that
        of the run that is resumed.
    - --max-duration TIME: Stop after this time (15s, 1h30m), with work left and exit code 6; a step that cannot be
        divided is finished first, where nothing else was done, and so is a store of fewer than 25,000 rows.
    Output:
    * --report FILE: Write a report at the end, also after a failure: one page of HTML with the plan, its cost, and
        the losses. An earlier report of the same name is replaced.
    Advanced:
    - --die-with-parent: Stop, as by SIGTERM, when the process that started this one ends.
    - --restart: Discard an interrupted migration of the same destination, and start over.
    - --resume-if-started: Resume an interrupted migration. Keep a record of a finished one, and report it as already done.
    ! --restart --resume-if-started
    & --max-rejects --on-error
    & --dependants --on-error

    # resume: Resume an interrupted migration.
    Continues from the last checkpoint beside the destination, and ends with the same bytes as an undisturbed run. It knows the plan and the memory limit of the interrupted run. The plan, the models, the mapping and the
    source must be unchanged; otherwise it refuses and changes nothing. A migration that is shorter than one
    batch has no checkpoint: run it again. Prints the lines that run prints with --json.
    $ bulkmigrate resume
      Resume the migration of the plan in this folder.
    $ bulkmigrate resume --plan notes.plan.json
      Resume that of another plan.
    $ bulkmigrate resume --state-dir Notes-v3.sqlite.bulkmigrate
      Resume from a state directory.
    = run: --plan --state-dir --on-error --max-rejects --dependants --die-with-parent --max-memory --max-loss
    = run: --max-duration --report --policy

    # status [MIGRATION]: Show the progress of a running or interrupted migration.
    Reads the state directory of a migration by run, resume or migrate, in this process or another, and changes nothing. The
    rows are those of the last checkpoint; of a running migration also those that it has written since.
    $ bulkmigrate status
      Show the migration of the plan in this folder.
    $ bulkmigrate status Notes-v3.sqlite.bulkmigrate --json
      Print the state of a state directory, for a program.
    Output:
    * --watch: Print a line a second, with rate, time left, memory and the age of the last checkpoint, until no process
        works on it any more; then the rest as usual.

    # control [MIGRATION]: Pause, continue or throttle a running migration or fleet.
    Writes a request to the state directory of a migration, or beside the results of a fleet. The processes that work
    on it obey within a second, keep their memory and their locks, and still obey signals. The
    workers of a fleet share the rate. The next attempt discards earlier requests. migrate --no-copy cannot be
    controlled.
    $ bulkmigrate control --pause
      Pause the migration of the plan in this folder.
    $ bulkmigrate control --resume
      Let it continue.
    $ bulkmigrate control --rate 50M Notes.sqlite
      Let migrate Notes.sqlite write at most 50 MB a second.
    $ bulkmigrate control --rate off --results bulkmigrate.results.jsonl
      Let a fleet write as fast as the disk does.
    Input:
    - --pause: Pause it.
    * --resume: Continue what was paused.
    * --rate RATE: Bytes to write a second: 50M, or 50MB/s; off for no limit.
    - --results FILE: The results of the fleet to control.
    ! --pause --resume
    ! --results MIGRATION

    # verify: Prove that a destination is what the plan describes.
    Reads the destination of a plan, and the source, and changes neither. Level quick checks the store itself: its
    structure with all indexes, metadata, keys, entity numbers, references, and the files of external values. References
    to missing objects that the source has are allowed after an inferred migration. Level full makes the
    store a second time beside the destination, by an independent, slower method: by SQL and row by row. Then it compares every row and names every difference: entity, key,
    property, expected, found, and the source object; also constraints, the model that the store keeps, and external
    files that nothing expects, and data of the source that is neither read nor counted as lost. It needs as much space as the
    destination; after an interruption run verify again to resume. At both levels it checks "expect" in the mapping file: counts
    of objects of the destination, and predicates that they satisfy. It ends with 0 if nothing differs and every
    expectation is met, else with 4.
    $ bulkmigrate verify
      Check the destination of the plan in this folder.
    $ bulkmigrate verify --level full --proof proof.json
      Compare every row, and keep a record that can be checked later.
    $ bulkmigrate verify --proof proof.json
      See whether it is still the same.
    $ bulkmigrate verify --level full --destination Other.sqlite
      Verify a store that another program made from the same source.
    Input:
    = --policy
    * --plan FILE: The plan by which the destination was made.
    * --level LEVEL: quick checks the store itself; full compares every row with a store that is made a second time.
    * --destination STORE: The store to verify in place of the plan's destination.
    - --state-dir DIR: The state directory of the migration, where it is not beside the destination.
    - --scratch DIR: A folder for the expected store, to be made or empty; without it one beside the destination.
    * --proof FILE: Write a record of what was verified; compare with it as well where it exists already.
    = --max-memory
    & --scratch --level

    # rejects [ACTION] [ENTITY] [KEY]: List, show or replay objects that a run with --on-error quarantine left out.
    list counts the objects by source entity. show writes their lines as they are in the file: one JSON object a line,
    with the source object, the entity mapping, the reasons and the source values
    (Plans/schemas/rejected-object.schema.json). Both change nothing. replay migrates them, once the mapping, a policy
    or the values in the files were corrected: it rebuilds the store as if nothing had ever failed, and puts it in the
    place of the destination, which is kept with a ~ before its extension. Values and the keys of to-one relationships
    may be corrected in the files; these then stay in the state directory under replayed, for verify. Do not add,
    remove or move lines, do not change keys, and keep the type of each value; other files are refused. It refuses a
    destination that has changed since, and changes nothing if anything would still be left out.
    $ bulkmigrate rejects list
      Count the objects that the migration of this folder left out.
    $ bulkmigrate rejects show Note
      Show every note that was left out, and why.
    $ bulkmigrate rejects show Note 103
      Show one of them.
    $ bulkmigrate rejects replay
      Bring them in, after the mapping was corrected.
    - ACTION: list, show or replay.
    - ENTITY: The source entity to show.
    - KEY: The key of the source object.
    Input:
    = --policy
    * --plan FILE: The plan of the migration.
    - --state-dir DIR: The state directory of the migration.
    Limits:
    * -m, --max-memory SIZE: Memory that replay may hold.
    ! --state-dir --plan

    # report [MIGRATION]: Write a page about a migration: before, during, or after its run.
    Writes one page of HTML that needs nothing else: losses, the mapping of every entity as bands and as a table,
    memory, rows and bytes over time with every interruption, passes, rejects with their reasons, verification, versions
    and fingerprints. The page of a finished run has its measured figures, not those of the plan. Reads a plan
    or a state directory, and changes neither. Where a migration is done, its state is kept only by
    run --resume-if-started, or where objects were left out; run --report writes the page at the end of any run.
    $ bulkmigrate report
      Write a page about the plan in this folder.
    $ bulkmigrate report New.sqlite.bulkmigrate -o new.html
      Write a page about a state directory.
    $ bulkmigrate report notes.plan.json --proof proof.json -o -
      Print a page with the proof of a verification.
    Input:
    * --proof FILE: A proof that verify has written.
    Output:
    * -o, --output FILE: Where to write the page; - for standard output. An earlier report is replaced.

    # migrate STORE: Bring a store to the current version of its model, in place.
    Plans, runs, and replaces the old store by the migrated one, with its folder of external values. The old
    store is kept beside it with a ~ before the extension, until it is deleted; rollback goes back to it. Whenever it is
    interrupted, either the old or the new store is in place, complete; repeat the command to continue. No other program may have
    the store open. Nothing may be lost unless --max-loss allows it.
    $ bulkmigrate migrate Notes.sqlite --models Notes.xcdatamodeld --mappings Mappings
      Bring a store of any version to the current one.
    $ bulkmigrate rollback Notes.sqlite
      Go back to the old store.
    - STORE: The store.
    Input:
    * --no-copy: Change the file itself, in one transaction of SQLite. Only for light changes; the old store is
        not kept, so rollback is impossible. Where only the schema grows no row is read, and only what is written is
        checked; preflight finds damage elsewhere.
    = plan: --mapping --destination-model --models --mappings --ignore-mapping --to --configuration --no-infer
    = plan: --new-identifier --like-core-data --allow --strategy --policy
    = run: --max-memory --max-loss --max-duration --report

    # rollback STORE: Go back to the store that migrate has kept.
    Restores the store that was kept with a ~ before its extension. The migrated one, with everything that was written
    to it since, is kept as Notes~undone.sqlite. No other program may have the store open.
    $ bulkmigrate rollback Notes.sqlite
      Go back from Notes.sqlite to Notes~.sqlite.
    - STORE: The store that was migrated.

    # salvage STORE: Copy a store without its damaged pages, and list what is lost.
    Writes a copy of everything that can be read, with the external values, and lists the pages that cannot be read, with the
    keys that their rows may have. An index shows how many rows a page had; without one it is the highest number
    possible. The copy's metadata keep the numbers, and plan, run and verify repeat them. The store is only read; the
    copy appears under its name when it is complete.
    $ bulkmigrate salvage Notes.sqlite -o Readable.sqlite
      See how much is lost.
    $ bulkmigrate salvage Notes.sqlite -o Readable.sqlite --max-loss 12
      Write the copy without up to 12 rows.
    - STORE: The damaged store.
    What may be lost:
    * --max-loss N: How many rows may be lost: none, a number, or all.
    Output:
    * -o, --output COPY: The copy; it must not exist yet.
    """

  private static var allowances: String {
    PlanAllowance.allCases.map { "\($0.rawValue) (\($0.explanation))" }.joined(separator: ", ")
  }
}
