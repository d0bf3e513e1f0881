"""Commands that the pages of the manual show: they are run, and their output is compared. Used by tools/docs."""
import os, re, shlex, subprocess, tempfile

import pages

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CATALOGUE = os.path.join(ROOT, "Sources/BulkMigrate/BulkMigrate.docc")
PLANS = os.path.join(ROOT, "Plans")
TOOL = os.path.abspath(os.environ.get("BULKMIGRATE", os.path.join(ROOT, ".build/release/bulkmigrate")))
PATH = os.path.dirname(TOOL) + ":" + os.environ["PATH"]
BLOCK = re.compile(r"```console\n(.*?)```\n", re.S)
# Lines of progress, which only slow work has.
PROGRESS = re.compile(r"(\d+% +)?[\d,]+( of at most |/)[\d,]+ rows |(reading the|walking through|counting|looking (for|at)|writing the|making) ")
# What differs from machine to machine, and from run to run.
VARYING = [
    (re.compile(r"\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b"), "UUID"),
    (re.compile(r"\b[0-9a-f]{12,64}\b"), "DIGEST"),
    (re.compile(r"(about )?[0-9.,]+ ?(bytes|[KMG]iB)\b"), "SIZE"),
    (re.compile(r"(about )?[0-9.]+ ?m?s\b"), "TIME"),
    (re.compile(r"\bprocess \d+ on \S+"), "PROCESS"),
    (re.compile(r"\bwith [0-9,]+ rows kept\b|\bbefore a row was kept\b"), "KEPT"),
    (re.compile(r"^rows +[0-9,]+ of .* written, .*"), "WRITTEN"),
    (re.compile(r" +"), " "),
]


def commands(block):
    """The commands of a block, each with the output that it shows."""
    found = []
    for line in block.splitlines():
        if found and not found[-1][1] and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0] + "\n" + line, [])
        elif line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def normal(line):
    for pattern, word in VARYING:
        line = pattern.sub(word, line)
    return line.strip()


def agree(shown, found):
    """Whether lines agree with shown ones, where `...` stands for any."""
    if not shown:
        return not found
    if shown[0] == "...":
        return any(agree(shown[1:], found[index:]) for index in range(len(found) + 1))
    return bool(found) and normal(shown[0]) == normal(found[0]) and agree(shown[1:], found[1:])


class Shell:
    """Where a page's commands are run."""

    def __init__(self, home):
        self.home = os.path.realpath(home)
        self.folder = os.path.join(self.home, "bulkmigrate")
        os.mkdir(self.folder)
        pages.carry(self.folder)

    def run(self, command):
        """The lines that a command prints, with the names of files as seen from the folder."""
        place = os.path.join(self.home, ".folder")
        environment = {**os.environ, "HOME": self.home, "TERM": "dumb", "COLUMNS": "110", "PATH": PATH}
        done = subprocess.run(["bash", "-c", f'trap "pwd >{shlex.quote(place)}" EXIT\n{command}'], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        text = done.stdout.replace(self.folder + "/", "").replace(self.folder, ".").replace(self.home, "~")
        with open(place) as file:
            self.folder = file.read().strip()
        lines = [line.rstrip() for line in text.rstrip("\n").split("\n")] if text else []
        return [line for line in lines if not PROGRESS.match(line)]


def check(page, accepts):
    """Runs what a page shows; returns the faults."""
    with open(page) as file:
        text = file.read()
    if not BLOCK.search(text):
        return []
    faults = []
    with tempfile.TemporaryDirectory(prefix="docs-") as folder:
        shell = Shell(folder)

        def block(match):
            lines = []
            for command, shown in commands(match.group(1)):
                found = shell.run(command)
                if agree(shown, found):
                    found = shown
                elif not accepts:
                    faults.append(f"{page}: $ {command}\n  shown:\n    " + "\n    ".join(shown) +
                                  "\n  found:\n    " + "\n    ".join(found))
                lines += ["$ " + command] + found
            return "```console\n" + "\n".join(lines) + "\n```\n"

        written = BLOCK.sub(block, text)
    if accepts and written != text:
        with open(page, "w") as file:
            file.write(written)
    return faults
