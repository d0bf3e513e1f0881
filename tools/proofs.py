"""bench/results/proofs.txt: a line for each proof, with the date and the command of its last result."""
import datetime, os, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PATH = os.path.join(ROOT, "bench", "results", "proofs.txt")


def record(name, text, command=None):
    """Replaces the line of a proof; the command is that of this process where none is given."""
    if command is None:
        words = [word for word in sys.argv[1:] if word != "--record"]
        command = " ".join([os.path.relpath(os.path.abspath(sys.argv[0]), ROOT), *words])
    lines = {}
    if os.path.exists(PATH):
        with open(PATH) as file:
            lines = {line.split(":")[0]: line for line in file}
    lines[name] = f"{name}: {datetime.date.today()}, `{command}`: {' '.join(text.split())}\n"
    with open(PATH, "w") as file:
        file.writelines(lines[key] for key in sorted(lines))
