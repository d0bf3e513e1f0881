"""tools/demo --record: an interactive shell in a terminal of 120 columns makes a store, plans its migration and begins it. The run
is killed, looked at, resumed, and compared byte by byte with an undisturbed one. What the terminal showed becomes a picture, in
which it appears at the speed of the session. The pictures of the manual's page Getting started are of the same session:
plan.svg, the whole plan, and report.svg, the two pictures of the report of the resumed run.

The name of the folder is left out before the names of files; `...` stands for lines that are left out."""
import fcntl, html, os, pathlib, pty, re, select, shutil, signal, struct, sys, tempfile, termios, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MANUAL = os.path.join(ROOT, "Sources/BulkMigrate/BulkMigrate.docc")
COLUMNS, ROWS = 120, 40
PROMPT = "$ "
# Half of the rows of a pass, of which at most so many are expected: four in five are written.
PROGRESS = re.compile(r"([\d,]+) of at most ([\d,]+) rows [^\r\n]*pass 2/3 \(Note\) rows")
KILL_AT = 0.4

# What is typed, the lines of its output that the picture leaves out, and a line that must be among them.
PLAN = "bulkmigrate plan --mapping notes.json"
STEPS = [
    ("bulkmigrate fixture --model Notes.xcdatamodeld/Notes.xcdatamodel \\\n"
     "--rows Note={notes},Folder=300,Tag=900,Setting=12 --links Note.tags=2 \\\n"
     "--nil Note.image=80% --bytes Note.image=200-400 --output Notes.sqlite", None, r"Notes\.sqlite: .* pairs of join tables, in "),
    (PLAN, r"(source|  model|destination|mapping|look at|  entity|memory|strategy|to see|plan written)", r"5 entities: "),
    ("bulkmigrate run --max-memory 64M --max-loss 12    # in another terminal: kill -9", None, r".*Killed"),
    ("bulkmigrate status", r"(source|destination|  pass|process|kept in)", r"state +interrupted"),
    ("bulkmigrate resume --report report.html", None, r"Notes-v2\.sqlite: .* rows, "),
    ("mv Notes-v2.sqlite Resumed.sqlite", None, None),
    ("bulkmigrate run --quiet --max-memory 64M --max-loss 12", r"warning", r"Notes-v2\.sqlite: .* rows, "),
    ("cmp Notes-v2.sqlite Resumed.sqlite && echo the same, byte by byte", None, r"the same, byte by byte"),
]

COLORS = {"30": "#8b949e", "31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff",
           "36": "#76e3ea", "90": "#8b949e", "2": "#8b949e"}
GROUND, TEXT, DIM, TYPED = "#0d1117", "#d0d7de", "#8b949e", "#79c0ff"


class Terminal:
    """An interactive shell, and what it prints."""

    def __init__(self, folder, program):
        environment = {"PATH": os.path.dirname(program) + ":" + os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8",
                       "PS1": PROMPT, "PS2": "> ", "HOME": folder, "HISTFILE": ""}
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"], environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read(self, seconds):
        """What is printed within some time."""
        if not select.select([self.file], [], [], seconds)[0]:
            return ""
        return os.read(self.file, 65536).decode(errors="replace")

    def kill_program(self):
        with open(f"/proc/{self.pid}/task/{self.pid}/children") as file:
            for child in file.read().split():
                os.kill(int(child), signal.SIGKILL)

    def until_prompt(self, prompts, kills=False):
        """The pieces that are printed up to the next prompt, each with its time."""
        pieces, text, end = [], "", time.monotonic() + 300
        while not (text.endswith("\n" + PROMPT) or text == PROMPT or text.endswith("Killed\r\n" + PROMPT)
                   or (prompts and text.endswith("\n> "))):
            piece = self.read(1)
            if piece:
                pieces.append((time.monotonic(), piece))
                text += piece
            elif time.monotonic() > end:
                sys.exit(f"demo: FAILED: no prompt after {text[-400:]!r}")
            found = PROGRESS.findall(text) if kills else []
            if found and int(found[-1][0].replace(",", "")) >= KILL_AT * int(found[-1][1].replace(",", "")):
                self.kill_program()
                kills = False
        if kills:
            sys.exit("demo: FAILED: the run was done before it could be killed; name more --notes")
        return pieces

    def type(self, text):
        os.write(self.file, text.encode())


class Screen:
    """The lines of a terminal: of each its frames, `(time, cells)`, the last of which stays."""

    def __init__(self):
        self.lines, self.cells, self.column, self.color = [[]], [], 0, None

    def write(self, moment, text):
        position = 0
        while position < len(text):
            escape = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])").match(text, position)
            if escape:
                self.control(*escape.groups())
                position = escape.end()
                continue
            character = text[position]
            position += 1
            if character == "\r":
                self.frame(moment)
                self.column = 0
            elif character == "\n":
                self.frame(moment)
                self.lines.append([])
                self.cells, self.column = [], 0
            else:
                self.cells[self.column:self.column + 1] = [(character, self.color)]
                self.column += 1
        self.frame(moment)

    def control(self, numbers, letter):
        if letter == "K":
            del self.cells[self.column:]
        elif letter == "m":
            for number in numbers.split(";"):
                self.color = COLORS.get(number, None if number in ("", "0", "39") else self.color)

    def frame(self, moment):
        frames = self.lines[-1]
        if self.cells and (not frames or frames[-1][1] != self.cells):
            frames.append((moment, list(self.cells)))


def shown(cells):
    return "".join(character for character, _ in cells)


def final(line):
    return shown(line[-1][1]) if line else ""


def without(cells, folder):
    """The cells of a line without the name of a folder."""
    text = shown(cells)
    while folder + "/" in text:
        place = text.index(folder + "/")
        cells = cells[:place] + cells[place + len(folder) + 1:]
        text = shown(cells)
    return cells


def picked(lines, left_out):
    """The lines of an output without those that a pattern leaves out, for which `...` stands."""
    result = []
    for line in lines:
        if left_out and re.match(left_out, final(line)):
            if not result or final(result[-1]) != "...":
                result.append([(line[-1][0], [(c, DIM) for c in "..."])])
        elif final(line) or (result and final(result[-1]) not in ("", "...")):
            result.append(line)
    while result and not final(result[-1]):
        result.pop()
    return result


def record_session(notes, folder, program):
    """The lines of the session, and those of the whole plan."""
    terminal, lines, plan = Terminal(folder, program), [], []
    terminal.until_prompt(False)
    for number, (command, left_out, expected) in enumerate(STEPS):
        start, before = time.monotonic(), len(lines)
        typed = command.format(notes=notes).split("\n")
        for index, part in enumerate(typed):
            words = (PROMPT if index == 0 else "> ") + part
            lines.append([(start, [(c, DIM if place < 2 else TYPED) for place, c in enumerate(words)])])
            terminal.type(part + "\n")
            if index + 1 < len(typed):
                terminal.until_prompt(True)
        screen = Screen()
        for moment, piece in terminal.until_prompt(False, "kill -9" in command):
            screen.write(moment, piece)
        # The terminal echoes what is typed, and ends with the next prompt.
        output = [[(moment, without(cells, folder)) for moment, cells in line] for line in screen.lines[1:-1]]
        if expected and not any(re.match(expected, final(line)) for line in output):
            sys.exit(f"demo: FAILED: {command} printed\n" + "\n".join(map(final, output)))
        if command == PLAN:
            plan = lines[before:] + picked(output, None)
        lines += picked(output, left_out)
    terminal.type("exit\n")
    os.waitpid(terminal.pid, 0)
    return lines, plan


def runs(cells):
    """Cells of one color, one after the other."""
    start = 0
    for index in range(1, len(cells) + 1):
        if index == len(cells) or cells[index][1] != cells[start][1]:
            yield shown(cells[start:index]), cells[start][1]
            start = index


def picture(lines, label, moves=True):
    """Lines as SVG: every frame of one appears at its time, and goes when the next one appears, if it moves."""
    size, width, height, margin, bar = 13, 7.8, 18, 16, 30
    wide, high = 2 * margin + COLUMNS * width, bar + 2 * margin + len(lines) * height - 4
    # Nobody waits for what takes longer than two seconds.
    moments = sorted({moment for line in lines for moment, _ in line})
    times, clock = {}, 0.5
    for earlier, later in zip([moments[0]] + moments, moments):
        clock += min(later - earlier, 2)
        times[later] = clock
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" viewBox="0 0 {wide:g} {high:g}" role="img" '
        f'aria-label="{label}">',
        "<style>",
        f"text {{ font: {size}px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: {TEXT}; "
        "white-space: pre; }",
        ".gone { opacity: 0; }",
        "@media (prefers-reduced-motion: no-preference) {",
        ".line { animation: show 1ms linear backwards; }",
        ".gone { animation: pass linear; }",
        "}",
        "@keyframes show { from { opacity: 0; } to { opacity: 1; } }",
        "@keyframes pass { from { opacity: 1; } to { opacity: 1; } }",
        "</style>",
        f'<rect x="0.5" y="0.5" width="{wide - 1:g}" height="{high - 1:g}" rx="8" fill="{GROUND}" stroke="#30363d"/>',
    ]
    for place, color in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        parts.append(f'<circle cx="{margin + 4 + 18 * place}" cy="{bar / 2 + 2:g}" r="5.5" fill="{color}"/>')
    for number, line in enumerate(lines):
        y = bar + margin + number * height + 8
        for index, (moment, cells) in enumerate(line if moves else line[-1:]):
            while cells and cells[-1][0] == " ":
                cells = cells[:-1]
            if not cells:
                continue
            start, style, kind = times[moment], "", "line"
            if moves and index + 1 < len(line):
                seconds = times[line[index + 1][0]] - start
                if seconds < 0.02:
                    continue
                kind, style = "gone", f"animation-duration:{seconds:.2f}s;"
            spans = "".join(
                f'<tspan fill="{color}">{html.escape(text)}</tspan>' if color else html.escape(text)
                for text, color in runs(cells))
            moving = f'class="{kind}" style="{style}animation-delay:{start:.2f}s" ' if moves else ""
            parts.append(f'<text {moving}x="{margin}" y="{y}" '
                         f'textLength="{len(cells) * width:g}" xml:space="preserve">{spans}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def of_report(page):
    """The pictures of a report, one below the other; outside a page their lines of HTML have to say that they are HTML."""
    text = pathlib.Path(page).read_text("utf-8").replace("<div ", '<div xmlns="http://www.w3.org/1999/xhtml" ')
    style = re.search(r"<style>(.*?)@media screen and \(max-width", text, re.S).group(1)
    colors = re.match(r"\s*:root\{.*?\}\n@media.*?\}\}\n", style, re.S).group(0)
    rules = "\n".join(rule for rule in style[len(colors):].splitlines()
                      if re.match(r"svg |\.(band|bar|span|grid|[\w-]+-(area|line)|peak|interruption|mark|label|change|copied|added|left-out)\b", rule))
    found = re.findall(r'<svg [^>]*width="([\d.]+)" height="([\d.]+)">(.*?)</svg>', text, re.S)
    if len(found) != 2:
        sys.exit(f"demo: FAILED: the report has {len(found)} pictures, not those of entities and of time")
    margin, down, parts = 20, 20, []
    for _, height, drawn in found:
        parts.append(f'<g transform="translate({margin},{down:g})">{drawn}</g>')
        down += float(height) + margin
    wide = 2 * margin + max(float(width) for width, _, _ in found)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{down:g}" viewBox="0 0 {wide:g} {down:g}" role="img" '
            'aria-label="Of a report: entities as bands; stages, memory, rows and bytes over time, with the kill">\n'
            f"<style>{colors}{rules}\n"
            'svg{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}\n'
            "svg text{font-size:13px;fill:var(--ink)}</style>\n"
            f'<rect x="0.5" y="0.5" width="{wide - 1:g}" height="{down - 1:g}" rx="8" fill="var(--card)" stroke="var(--line)"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


def record(output, notes, program):
    output = output or os.path.join(ROOT, "Plans/demo/session.svg")
    with tempfile.TemporaryDirectory(prefix="session-") as folder:
        folder = os.path.realpath(folder)
        shutil.copytree(os.path.join(ROOT, "Plans/demo"), folder, dirs_exist_ok=True)
        lines, plan = record_session(notes, folder, program)
        pictures = {
            output: picture(lines, "A migration that is planned, killed, resumed, and ends with the bytes of an undisturbed one"),
            os.path.join(MANUAL, "plan.svg"): picture(plan, "A plan: the losses first, then the entities of each pass", False),
            os.path.join(MANUAL, "report.svg"): of_report(os.path.join(folder, "report.html")),
        }
        if any(folder in text for text in pictures.values()):
            sys.exit("demo: FAILED: the folder is in a picture")
    for path, text in pictures.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    print("\n".join(final(line) for line in lines))
    print(f"{len(lines)} lines in {os.path.relpath(output)}")
