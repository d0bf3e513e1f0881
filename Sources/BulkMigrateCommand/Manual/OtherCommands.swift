extension Manual {
  static let otherCommands = """
    # mapping: Begin, check, try, convert or compare mapping files.
    A mapping file describes how the objects of one model become those of another: JSON as
    Plans/schemas/mapping.schema.json describes it, or a file of Xcode, an .xcmappingmodel or a compiled .cdm. Models
    are named by options or by the file; otherwise the copies in a mapping of Xcode are used.
    - FILE: The mapping file.
    Input:
    * --source-model MODEL: The model of the source objects.
    * --destination-model MODEL: The model of the destination objects.
    Output:
    * -o, --output OUT: The file to write, which must not exist yet; without it standard output.

    # mapping init: Begin a mapping file between two models.
    Writes a mapping file with everything that can be inferred between two models. A value "?" has to be replaced by an
    expression; null keeps the model's default value. Merges, splits and renames that matching attributes suggest are
    listed, and carried out in a second file, NAME.proposed.json beside NAME.json: use the one that is right.
    $ bulkmigrate mapping init --source-model Old.xcdatamodel --destination-model New.xcdatamodel --output all.json
      Begin a mapping file, to be edited.
    = --source-model --destination-model
    = --output

    # mapping check FILE: List what is wrong or suspicious in a mapping file.
    Lists every fault with line and column, among them all that plan would refuse: values that cannot be evaluated,
    unknown selectors. Then it lists what may not be intended: policies that are not named here, models that changed
    since Xcode saved the mapping, objects that two mappings make from the same rows, required attributes without a
    value, properties and entities that are lost. It ends with 65 if something keeps the mapping from being carried out,
    and with 0 if there are only warnings.
    $ bulkmigrate mapping check all.json
      See what is wrong or missing.
    = --source-model --destination-model --policy

    # mapping try [FILE]: Show some objects before and after, or the values of an expression.
    Shows some objects of the source before and after, side by side, with every expression and its value, or its error
    with line and column; an expression that fails does not hide others. With --expression it shows the value of one
    expression or predicate for some objects of an entity: $source is the object, and so is SELF; a name alone is one of
    its properties. The store is only read: for at most 10 seconds, or with --where until enough objects are found, or
    1,000,000 rows. No store is written: related objects of the destination, rules of the model and policies need a run,
    or preflight. It ends with 65 if something that is shown fails.
    $ bulkmigrate mapping try all.json --source Notes.sqlite --sample 2
      See two objects of each entity before and after.
    $ bulkmigrate mapping try --source Notes.sqlite --entity Note --expression 'uppercase:(title)'
      See the values of an expression for the first five notes.
    Input:
    * --source STORE: The store to read; without it the one that FILE names.
    * --entity NAME: Try only an entity mapping, or those from or to an entity.
    * --expression TEXT: Try an expression or a predicate instead of a file.
    = --source-model --destination-model
    - --where PREDICATE: Show objects of the source for which a predicate holds.
    Limits:
    * --sample N: How many objects to show, from 1 to 1000.
    Output:
    - --markdown: Print tables in Markdown.
    ! --markdown --json
    ! --expression FILE --destination-model

    # mapping convert FILE: Write a mapping file as complete JSON, or for Xcode and Core Data.
    Turns any mapping into JSON that leaves nothing to be inferred. An OUT that ends in .xcmappingmodel is a mapping
    model for a project in Xcode, one that ends in .cdm a compiled one for NSMappingModel(contentsOf:). What Core Data
    cannot do is refused with line and column; policies become classes that the app needs.
    $ bulkmigrate mapping convert V2toV3.xcmappingmodel --output v2-v3.json
      Turn a mapping of Xcode into JSON.
    $ bulkmigrate mapping convert v2-v3.json --output V2toV3.cdm
      Turn a mapping that was tried here into one for the app.
    = --source-model --destination-model
    = --output

    # mapping diff FILE OTHER: List the differences between two mapping files.
    Lists the differences entity mapping by entity mapping, after everything that both files leave out is inferred.
    $ bulkmigrate mapping diff V2toV3.xcmappingmodel v2-v3.json
      See what was changed.
    - FILE: The first mapping file.
    - OTHER: The second one.
    = --source-model --destination-model

    # fleet: Migrate many stores by one manifest: plan, run, status, report, retry.
    A fleet is one store per user, tenant or device. plan reads the manifest and writes bulkmigrate.fleet.json; run
    migrates every store exactly once, with worker processes that may end at any instant; the others show the state of
    each. Every store is migrated as by run --resume-if-started.
    Input:
    - --fleet FILE: The plan of the fleet.
    - --results FILE: The results; those of several processes may be given together. Default: bulkmigrate.results.jsonl.

    # fleet plan: Read a manifest, find the route of every version, and write the plan.
    A manifest has a JSON object a line, {"id": …, "source": …, "destination": …}; "bytes", "version" and "class" are
    optional. Stores of which bytes and version are given are not opened. Paths are relative to the manifest. All faults
    of a manifest are listed with their lines. A store that cannot be read, or that has no route, is not a fault: it is
    reported, and fleet run quarantines it.
    $ bulkmigrate fleet plan --manifest stores.jsonl --models App.xcdatamodeld --mappings Mappings
      Plan a fleet, and write it to bulkmigrate.fleet.json.
    $ bulkmigrate fleet plan --folder old --pattern '*.sqlite' --into new --models App.xcdatamodeld
      Plan all stores of a folder.
    Input:
    * --manifest FILE: The list of stores, a JSON object a line.
    * --folder DIR: Instead of a manifest: the folder of the stores.
    - --pattern PATTERN: With --folder: the names of stores.
    * --into DIR: With --folder: the folder for the stores to make.
    - --root DIR: The folder in which all stores must be, also while they run.
    - --staged: The names of stores are for the commands of fleet run --stage-in and --stage-out; none is opened.
    Limits:
    - --bins N: How many bins of about equal bytes there are at most, for fleet run --bin and tasks of Spark.
    Output:
    * -o, --output FILE: Where to write the plan of the fleet.
    = plan: --models --mappings --ignore-mapping --to --no-infer --like-core-data --allow --policy
    = run: --max-loss
    ! --manifest --folder
    & --pattern --folder
    & --into --folder

    # fleet run: Migrate every store of a fleet exactly once.
    Migrates the stores with worker processes, each within the memory limit. After any interruption, run it again: finished
    stores are skipped, started ones are resumed. A store that crashes its worker is tried once more in a process of
    its own, and then quarantined, as are stores that cannot be migrated. Results are appended to a file, a line for
    every attempt. Exit codes: 0 all done; 3 some failed, within --max-failures, or left objects out; 1 more failed; 4
    verification alone failed; 6 work is left.
    $ bulkmigrate fleet run --workers 4 --max-memory 256M
      Migrate the fleet that is planned in this folder.
    $ bulkmigrate fleet run --canary 1% --max-failures 5%
      Migrate and verify one store of a hundred first, and stop where more than five of a hundred fail.
    $ bulkmigrate fleet run --bin 3/16 --results results-3.jsonl
      Migrate the third of sixteen parts, as a task of an array.
    Input:
    = --fleet
    * --models DIR: Where the models of the plan are on this machine; their digests must be the same.
    * --mappings DIR: Where the mappings of the plan are on this machine.
    - --stage-in COMMAND: Fetches the file "$FROM" to the local file "$TO"; ends with 66 if there is nothing of that
        name. It is called for a store, its log or journal, each file of external values, and its receipt.
    - --stage-out COMMAND: Stores the local file "$FROM" as "$TO" unless that exists; then it ends with 73. It is called
        for reject files and each file of external values, then for the store, and then for its receipt.
    - --scratch DIR: The folder of staged stores.
    - --results FILE: The file to which results are appended. Default: bulkmigrate.results.jsonl.
    What may be lost:
    * --max-failures N: How many stores may fail, a number or a share (5%), of the canaries and of all; beyond it no
        more are started. Default: all of them, but no canary.
    Limits:
    * --workers N: How many processes work at the same time.
    - --bin K/N: Only every N-th bin, from the K-th on.
    * --canary N: How many stores come first, a number or a share (1%), across versions and sizes; they are verified
        before the others begin. If one fails, and --max-failures does not allow it, no others begin.
    - --retries N: How often a store is tried again that may succeed.
    Output:
    - --verify LEVEL: Verify every store, as verify does: quick, or full, which takes about as long as the migration.
        One that differs is quarantined with 4.
    = run: --on-error --max-rejects --dependants --die-with-parent --max-memory --max-loss --max-duration
    = run: --policy
    & --max-rejects --on-error
    & --dependants --on-error
    & --scratch --stage-in

    # fleet status: Show the progress of a fleet.
    Counts the stores of a fleet by the outcome of their last attempt, and shows the requests of control to running
    workers.
    $ bulkmigrate fleet status
      Show the progress of the fleet of this folder.
    = --fleet --results

    # fleet report: Report the outcome of a fleet: counts, times, failures, losses.
    Counts stores, and shows the percentiles of time and memory, the failures by reason, the losses by entity and
    property, and the stores that took longest. --table keeps the results in a database of SQLite, for questions of your own.
    $ bulkmigrate fleet report
      Report the outcome of the fleet of this folder.
    $ bulkmigrate fleet report --page fleet.html
      Show the fleet on a page.
    $ bulkmigrate fleet report --results a.jsonl --results b.jsonl --table results.sqlite
      Put the results of two processes into a database.
    Input:
    = --fleet --results
    - --table FILE: Keep the results in a database of SQLite.
    Output:
    - --page FILE: Write the page of the fleet; - for standard output.

    # fleet retry: Make the manifest of the stores that are left.
    Writes a manifest of all stores that are neither done nor already were, those that were never begun included. Plan
    and run it as any other; what an interrupted attempt has done counts.
    $ bulkmigrate fleet retry -o rest.jsonl
      Write the manifest of the stores that are left.
    $ bulkmigrate fleet retry --failure transient -o rest.jsonl
      Leave out the stores that were never begun, and those that will fail again.
    Input:
    = --fleet --results
    - --failure KIND: Only stores with a failure of this kind: permanent, transient or operator.
    Output:
    * -o, --output FILE: Where to write the manifest.

    # fixture: Make a synthetic store of a model, of any size.
    Fills a store of a model with rows: values of every type, text in several scripts, small PNG files in attributes
    named after pictures, relationships that agree with their inverses, ordered relationships in order. The same options
    give the same bytes. A store can be dirty on purpose: duplicates against a uniqueness constraint, nil in required
    attributes, dangling keys.
    $ bulkmigrate fixture --model Notes.xcdatamodeld --rows Note=1M,Tag=100K --output Big.sqlite
      Make a store with a million notes and a hundred thousand tags.
    $ bulkmigrate fixture --model Notes.xcdatamodeld --rows Note=10K --bytes Note.image=10K-200K --dirty nulls=1% --output Dirty.sqlite
      Make one with large pictures and with required values missing.
    Input:
    * --model MODEL: The model of the store.
    * --rows ENTITY=N,…: The number of objects of each entity: 5000, 100K, 2M.
    Output:
    * -o, --output STORE: The store to make; it must not exist yet.
    Advanced:
    - --seed N: The seed of all random values. Default: 1.
    - --skew KIND: How relationships are filled: uniform, or zipf for a few heavy users.
    - --dirty RULE=RATE,…: The faults to add: duplicates, nulls, dangling.
    - --bytes ENTITY.ATTRIBUTE=SIZE-SIZE,…: The sizes of binary values: 10K-200K.
    - --nil ENTITY.ATTRIBUTE=RATE,…: How many values of an optional attribute are nil.
    - --external ENTITY.ATTRIBUTE=RATE,…: How many values of an attribute that allows external storage are in files
        beside the store.
    - --links ENTITY.RELATIONSHIP=MEAN,…: The mean number of members of a many-to-many.

    # completion SHELL WORDS…: Print a script with which a shell completes command lines.
    The script calls the program, which knows all commands, options, their values where there are few, the names in a
    plan or a model, and where files belong.
    $ bulkmigrate completion bash > /etc/bash_completion.d/bulkmigrate
      Complete in bash, for all users.
    $ bulkmigrate completion zsh > /usr/local/share/zsh/site-functions/_bulkmigrate
      Complete in zsh.
    $ bulkmigrate completion fish > ~/.config/fish/completions/bulkmigrate.fish
      Complete in fish.
    - SHELL: bash, zsh or fish.
    - WORDS: Words of a command line, to print what the last one can be.

    # fleet work WORK:
    Migrates stores for bulkmigrate fleet run, which starts it: reads a job a line from standard input, and answers each
    with a result a line.
    - WORK: What to do with each store, as JSON.

    # environment: Show how variables set options.
    A variable sets an option that the command line neither sets nor excludes. -v shows each option that is set, and by what. The
    variable of --max-memory is BULKMIGRATE_MAX_MEMORY, and so on. 1 sets an option without a value, and 0 does not; each
    line is a value of an option that may be repeated; an empty variable counts as none. A variable that names an option
    of other commands is not read; one that names none is refused, and so is BULKMIGRATE_POLICY, because the programs of
    policies come from the command line alone.
    $ BULKMIGRATE_MAX_MEMORY=128M bulkmigrate run -v
      Run within 128 MiB, and see what set that.
    Variables without an option:
    - BULKMIGRATE_LOCK_WAIT: How long to wait for another process that works on the same store, as 10m. Default: 0s, in a
        fleet 10s.
    - BULKMIGRATE_POLICY_TIMEOUT: Timeout for each reply of a policy program. Default: 60s.
    - BULKMIGRATE_THREADS: Threads that work at the same time, 1 or 2: one makes pages, the other writes them. Default: 2
        where there are two processors, 1 in each of several workers.
    - SQLITE_TMPDIR: The folder of temporary files; without it that of the migration, or TMPDIR.

    # expressions: Show the functions of expressions, with examples.
    The expressions of mapping files are those of NSExpression. $source is the object of a row, and $source.key its value;
    $entityMapping and $propertyMapping have the keys name and userInfo.key.

    # exit-codes: Show how the program ends, and with which code.
    Every command ends with one of these codes.
    Exit codes:
    - 0: done
    - 1: failed; the state is kept, and the message says whether resume can continue
    - 2: plan --detailed-exitcode found work to do
    - 3: done; objects that break rules were left out, or stores of a fleet failed
    - 4: verify found a difference, or rows of the source are not accounted for and nothing was published
    - 5: the plan is stale: the source is not what it was planned for
    - 6: stopped on purpose with work left; run resume
    - 7: the memory limit, the disk, the time or the number of open files is too small; nothing was started
    - 8: locked by a live process
    - 9: overtaken by another attempt; its work was discarded
    - 64: the command line was not understood
    - 65: damaged or contradictory model, mapping, plan, store or checkpoint; or more would be lost than --max-loss
        allows, preflight --strict found something, or an expression fails that mapping try shows
    - 66: an input is missing or cannot be read
    - 73: an output cannot be created, or exists already
    - 74: reading or writing failed
    - 75: something temporary is in the way; try again later
    - 129: stopped by SIGHUP; resume continues where something was kept
    - 130: stopped by SIGINT; resume continues where something was kept
    - 143: stopped by SIGTERM; resume continues where something was kept
    """
}
