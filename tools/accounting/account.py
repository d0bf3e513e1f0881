"""Shows that the account of a migration balances: whatever a store has is in the destination, or `losses` counts it.

A case is a random model, a random change of it and, for most, a random mapping model with filters that SQL knows and
filters that have to be evaluated, several mappings of one entity, constants, merged objects and a policy that makes
objects of several entities; one of another entity than a relationship's is refused. `fixture` makes the
store, and the script changes it with SQLite: nil, keys that lead nowhere, external values with and without their files,
tables and columns of an application, history, CloudKit's tables, R-trees, and rows of no entity; a page that cannot be
read is left out by `salvage` first; values that break a rule of the destination are quarantined.
Every object has a mark that all mappings copy. By these marks the script compares source and destination itself, with
SQLite and the rules of the format, and shares no code with the program:

  object            no object of the destination has its mark
  column            the object was kept, the cell is not NULL, and no cell is made of it; the same of each
                    composite element and each derived value; or the file with the value is missing
  link, pair        no relationship that continues the source's joins what became of its ends, and the row with the
                    key was kept; or one end of a pair was
  unmanaged row     rows of tables that no model explains; the same of history, CloudKit and R-trees
  history           rows that are gone; where all steps are inferred, each row with its mask and tombstones is as Core
                    Data's rules make it
  quarantine        objects in the reject files
  damage            rows of the page that cannot be read, as `salvage` counts them
  stray row         rows with a Z_ENT that no entity of their table has

What goes with a lost object, keys that lead nowhere and values that give way to those of an object that agrees may be
counted, but need not be. Each line of `losses` of `run --json` has to be right, or no less than right where it says "at
most", and so does each of `plan --json`, unless objects were left out. `verify --level quick` has to find nothing, and
`--level full` in every tenth case; --max-loss has to allow what is counted, and nothing less.

`--of faults` sees that deliberate faults in the program are found instead: each is built in a copy of the tree, which takes
some minutes, and tried with 300 cases; `--of faults:3` tries one of them.

Prints a line for each difference, and a table: in how many cases each kind was lost. It fails if a case differs, or if of 200
cases or more fewer than one in twenty have a kind, or more are refused. 2,000 cases take some ten minutes with a release build."""
import deliberate, trial
from campaign import Campaign
from proving import parts

KINDS = ["column", "link", "pair", "unmanaged row", "composite element", "derived value", "history", "quarantine",
         "damage", "stray row", "missing file"]


def prove(found, count, options):
    for part, number in parts(options, "cases", "faults") if options.of else [("cases", "")]:
        if part == "faults":
            deliberate.prove(found, int(number or 0), options.cases or 300)
            continue
        campaign = Campaign(count, options, trial.Trial)
        occurred, count = campaign.occurred, len(campaign.cases)
        # A few cases may lack a kind.
        rare = [kind for kind in KINDS if count >= 200 and occurred[kind] * 20 < count]
        campaign.report(found, *(f"{kind:20} {occurred[kind]:6}" for kind in KINDS + sorted(set(occurred) - set(KINDS))),
                        faults=[f"too few cases of {', '.join(rare)}"] if rare else ())
