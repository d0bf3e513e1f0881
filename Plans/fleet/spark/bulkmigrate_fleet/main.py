"""The driver: a bin of a fleet is a task, and the results are a table of Parquet."""
import argparse
import json
import os
import sys

from bulkmigrate_fleet.executor import run_bin

# How a bin is run again is decided by Spark: spark.task.maxFailures.


def schema():
    from pyspark.sql.types import (DoubleType, IntegerType, LongType, StringType, StructField, StructType)
    kinds = {"attempt": IntegerType(), "exitCode": IntegerType(),
             "wallSeconds": DoubleType(), "processorSeconds": DoubleType(), "time": DoubleType()}
    longs = ["rows", "rowsOfAttempt", "resumedAtRow", "missingFiles", "rejected", "sourceBytes", "bytes", "peakMemoryBytes"]
    kinds.update((name, LongType()) for name in longs)
    from bulkmigrate_fleet.executor import COLUMNS
    return StructType([StructField(name, kinds.get(name, StringType()), True) for name in COLUMNS])


def arguments(words):
    parser = argparse.ArgumentParser(prog="bulkmigrate-fleet", description="Runs a fleet of bulkmigrate on Spark.")
    parser.add_argument("--fleet", required=True, help="the plan of the fleet, as the driver sees it")
    parser.add_argument("--results", required=True, help="where the results are written, as Parquet")
    parser.add_argument("--program", default="bulkmigrate", help="the program: a path that every executor has")
    parser.add_argument("--ship", action="store_true", help="ship program, plan and archives of models to executors")
    parser.add_argument("--models", action="append", default=[], help="models, as executors see them; an archive with --ship")
    parser.add_argument("--mappings", action="append", default=[], help="mappings, likewise")
    parser.add_argument("--max-memory", default="256M", help="memory of each worker")
    parser.add_argument("--busy-wait", type=float, default=3600, metavar="SECONDS",
                        help="how long a task waits for a store that another attempt works on, before it fails")
    parser.add_argument("--option", action="append", default=[], help="another word for `fleet run`, as --option=--retries")
    return parser.parse_args(words)


def stores(fleet):
    """What the plan of the fleet says of its stores."""
    with open(fleet, encoding="utf-8") as file:
        return json.load(file)["stores"]


def run(session, given):
    """Runs the fleet, and writes the results.

    :returns: how many stores have which outcome.
    """
    context, planned = session.sparkContext, stores(given.fleet)
    # Executors have working folders of their own.
    settings = {"fleet": os.path.abspath(given.fleet), "program": given.program, "shipped": given.ship,
                "models": [os.path.abspath(path) for path in given.models],
                "mappings": [os.path.abspath(path) for path in given.mappings], "max_memory": given.max_memory,
                "options": given.option, "busy_wait": given.busy_wait, "bins": planned["bins"]}
    if given.ship:
        planned_list = os.path.join(os.path.dirname(os.path.abspath(given.fleet)), planned["file"])
        for path in [given.program, given.fleet, planned_list, *given.models, *given.mappings]:
            context.addFile(os.path.abspath(path))
    # A partition is a bin, so a task is one, and an executor that is lost costs one; the heaviest come first.
    tasks = context.parallelize(range(1, planned["bins"] + 1), max(1, planned["bins"]))
    rows = tasks.mapPartitions(lambda part: (row for number in part for row in run_bin(number, settings)))
    # The results of a task are in their place when it ends, and not only when the whole job does.
    session.createDataFrame(rows, schema()).write.mode("append").option(
        "mapreduce.fileoutputcommitter.algorithm.version", "2").parquet(given.results)
    return outcomes(session, given)


def outcomes(session, given):
    """How many stores have which last outcome."""
    with open(given.fleet, encoding="utf-8") as file:
        fingerprint = json.load(file)["fingerprint"]
    results = session.read.parquet(given.results).where(f"fleet = '{fingerprint}'")
    last = results.groupBy("id").agg({"time": "max"}).withColumnRenamed("max(time)", "time")
    counted = results.join(last, ["id", "time"]).groupBy("outcome").count().collect()
    return {row["outcome"]: row["count"] for row in counted}


def main(words=None):
    given = arguments(words)
    from pyspark.sql import SparkSession
    session = SparkSession.builder.appName("bulkmigrate-fleet").getOrCreate()
    try:
        found = run(session, given)
    finally:
        session.stop()
    print(json.dumps(found, sort_keys=True))
    if found.keys() & {"stopped"}:
        return 6
    return 3 if found.keys() & {"failed", "quarantined", "overtaken"} else 0


if __name__ == "__main__":
    sys.exit(main())
