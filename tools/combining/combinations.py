"""Migrates stores in which several things come together. Each case draws three features of the store: derived attributes,
an R-tree, history, CloudKit's tables, composite attributes, values in external files of which some may be missing, ordered
relationships, unmanaged tables, triggers of the application, texts in UTF-16; and two of the run: quarantine, a policy in
Python, SIGKILL at random moments, --max-duration 1ms again and again, replay of corrected objects, a staged fleet, migrate
in place with rollback, a route over a version between. The way is inferred, by copying, or by a mapping model that may
divide, merge and split off objects.

`fixture` makes the store, and SQLite changes it. The script computes the objects, values, links, orders and files of the
destination from those of the source, reads both stores itself, and shares no code with the program. It also compares the
names of tables, columns, indexes and triggers with those of a new store of the last version, what is kept of the
application's tables, of history and of mirroring, counted losses, reject files, and the source's bytes. What an application
does to each table has to be prepared by SQLite afterwards, and verify has to agree.

Prints a line for each difference, and how often each feature was drawn. Known differences of other issues are counted
apart. It fails if a case differs, or if more than one in twenty is refused."""
import collections

from campaign import Campaign
from combination import Combination
from journal import RUN, STORE, Journal


def prove(found, count, options):
    campaign = Campaign(count, options, Combination)
    drawn = collections.Counter(feature for case in campaign.cases for feature in Journal(case).features)
    campaign.report(found, *(", ".join(f"{each} {drawn[each]}" for each in features) for features in (STORE, RUN)),
                    "interrupted cases: " + ", ".join(f"{campaign.occurred[how]} {how}" for how in ("killed", "stopped")))
