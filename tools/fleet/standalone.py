"""A standalone cluster of Spark on two addresses of this machine, for tools/fleet/test: Spark starts second copies of a task
on another host only, and `local-cluster` has but one."""
import contextlib
import glob
import os
import signal
import socket
import subprocess
import time

HOSTS = ("127.0.0.2", "127.0.0.3")


def spark_home(python):
    """The folder of the Spark that a PySpark brings along."""
    words = [python, "-c", "import pyspark; print(pyspark.__path__[0])"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


class Standalone:
    """A master and a worker of one core on each host, from `with` until its end."""

    def __init__(self, folder, home, temporary):
        self.folder, self.home, self.temporary, self.processes = folder, home, temporary, []

    def __enter__(self):
        os.makedirs(self.folder)
        port = free_port(HOSTS[0])
        self.address = f"spark://{HOSTS[0]}:{port}"
        self.start(HOSTS[0], "master", "master.Master", "--host", HOSTS[0], "--port", str(port), "--webui-port", "0")
        for host in HOSTS:
            self.start(host, f"worker-{host}", "worker.Worker", "--host", host, "--cores", "1", "--memory", "1g",
                       "--webui-port", "0", "--work-dir", os.path.join(self.folder, f"work-{host}"), self.address)
        self.wait_for("Registering worker", len(HOSTS))
        return self

    def start(self, host, name, what, *words):
        environment = {**os.environ, "SPARK_LOCAL_IP": host, "SPARK_DAEMON_MEMORY": "256m", "SPARK_HOME": self.home,
                       "TMPDIR": self.temporary, "SPARK_LOCAL_DIRS": os.path.join(self.folder, f"local-{host}")}
        with open(self.log(name), "w") as log:
            self.processes.append(subprocess.Popen(
                [os.path.join(self.home, "bin", "spark-class"), f"org.apache.spark.deploy.{what}", *words],
                env=environment, stdout=log, stderr=log, start_new_session=True))

    def log(self, name):
        return os.path.join(self.folder, f"{name}.log")

    def wait_for(self, text, count):
        """Waits until the master says something so often."""
        end = time.monotonic() + 60
        while open(self.log("master")).read().count(text) < count:
            if time.monotonic() > end:
                raise RuntimeError(f"the cluster does not start: {open(self.log('master')).read()[-2000:]}")
            time.sleep(0.2)

    def __exit__(self, *_):
        for process in self.processes:
            signal_all(family(process.pid), signal.SIGKILL)
            process.wait()


def free_port(host):
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def family(number):
    """A process and all that descend from it."""
    children = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name, which may contain anything, ends with the last parenthesis.
            words = open(path).read().rpartition(")")[2].split()
            children.setdefault(int(words[1]), []).append(int(path.split("/")[2]))
    found = [number]
    for member in found:
        found += children.get(member, [])
    return found


def signal_all(numbers, which):
    for number in numbers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, which)
