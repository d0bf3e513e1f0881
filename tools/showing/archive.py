"""tools/demo --archive: the migration of the demo in a root that has nothing but what the archive or the package brings."""
import contextlib, glob, os, re, shutil, subprocess, sys, tarfile, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77


def newest(pattern, how):
    found = sorted(glob.glob(pattern), key=os.path.getmtime)
    if not found:
        sys.exit(f"demo: there is no {pattern}; {how}")
    return os.path.realpath(found[-1])


def skip(reason):
    print(f"demo: skipped: {reason}")
    sys.exit(SKIPPED)


def fill(root, archive, work):
    """Makes a root with the program and what the loader needs for it."""
    with tarfile.open(archive) as file:
        file.extractall(work, filter="data")
    program = os.path.join(work, os.path.basename(archive).removesuffix(".tar.gz"), "bulkmigrate")
    for name in ("usr/bin", "home", "tmp", "dev", "proc"):
        os.makedirs(os.path.join(root, name))
    # env stands for the shell that a root like this does not have.
    for binary in (program, shutil.which("env")):
        shutil.copy(binary, os.path.join(root, "usr/bin"))
        for library in re.findall(r"/[^ ]+", subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout):
            os.makedirs(root + os.path.dirname(library), exist_ok=True)
            shutil.copy(library, root + library)


@contextlib.contextmanager
def mounted(root):
    """Swift reads its command line in /proc, and so does whoever asks for the memory of a process."""
    proc = os.path.join(root, "proc")
    os.makedirs(proc, exist_ok=True)
    if os.path.exists(os.path.join(proc, "self")):
        yield
        return
    for words in (["-t", "proc", "proc"], ["--bind", "/proc"]):
        if subprocess.run(["mount", *words, proc], stderr=subprocess.DEVNULL).returncode == 0:
            break
    else:
        skip("/proc cannot be mounted in another root here")
    try:
        yield
    finally:
        subprocess.run(["umount", proc], check=True)


def prove(options, migrate, place_type):
    notes = options.notes or 100_000
    if notes < 50_000:
        sys.exit(f"demo: --notes: {notes} are done before anybody could kill them; name 50000 or more")
    archive = newest(options.archive or os.path.join(ROOT, ".build/package/bulkmigrate-*.tar.gz"), "tools/package makes one")
    if os.geteuid() != 0:
        skip("chroot needs root")
    debian = os.environ.get("PACKAGE_ROOT")
    # What may still be mounted is never removed: the folder goes only after umount succeeded.
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-archive-") as work:
        root = debian or os.path.join(work, "root")
        prefix = ["chroot", root, "env", "-i", "-C", "/home", "TERM=dumb", "HOME=/home", "bulkmigrate"]
        if debian:
            shutil.copy(newest(os.path.join(os.path.dirname(archive), "bulkmigrate_*.deb"), "tools/package makes one"),
                        os.path.join(root, "tmp/bulkmigrate.deb"))
            print("\n$ dpkg -i bulkmigrate.deb", flush=True)
            subprocess.run(["chroot", root, "dpkg", "-i", "/tmp/bulkmigrate.deb"], check=True)
        else:
            fill(root, archive, work)
            done = subprocess.run([*prefix, "--version"], capture_output=True, text=True)
            if done.returncode == 0 or "/proc does not exist" not in done.stderr:
                sys.exit(f"demo: FAILED: a root without /proc is not refused by name: {done.stdout}{done.stderr}")
        home = os.path.join(root, "home")
        os.makedirs(home, exist_ok=True)
        with mounted(root):
            place = place_type(home, prefix)
            place.type("The version.", "--version")
            place.type("The help.", "help")
            migrate(place, notes, 0.05, batch=1000)
