"""What an archive of the program has to read, for tools/docs --pages: FOLDER/README.md, FOLDER/SECURITY.md, the pages of the
manual as FOLDER/manual/*.md with their pictures, and the files that they use, which are in FOLDER/Plans.

The README is the project's without what stands between `<!-- sources -->` and `<!-- /sources -->`, which is for
readers of the sources. A link to what is not in FOLDER becomes plain text, and so does a picture. Links of the manual,
`<doc:Page>` and names of symbols, become links of Markdown and code. It fails where the README still names a folder of
the project that is not in FOLDER."""
import glob, os, re, shutil

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CATALOGUE = "Sources/BulkMigrate/BulkMigrate.docc"
CARRIED = ["Plans/schemas", "Plans/demo", "Plans/ci", "Plans/examples", "Plans/fleet", "Plans/formats"]
# What only a clone can build, and what tells of it.
LEFT_OUT = {"Plans/examples": shutil.ignore_patterns("example-policies", "README.md", ".build"),
            "Plans/fleet": shutil.ignore_patterns("Containerfile", "__pycache__")}
SOURCES = re.compile(r"<!-- sources -->\n.*?<!-- /sources -->\n\n?", re.S)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#]*)(#[^)]*)?\)")
# What the sources alone have.
ABSENT = re.compile(r"(?<![\w./])(bench|Tests|Sources|tools|Plans/decisions)/")


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def carry(folder):
    """Copies what an archive has of the project's Plans."""
    for part in CARRIED:
        shutil.copytree(os.path.join(ROOT, part), os.path.join(folder, part), dirs_exist_ok=True,
                        ignore=LEFT_OUT.get(part))


def present(text, base, folder):
    """The text, where links lead to what is in the folder, or to another site."""
    def link(match):
        picture, words, target, _ = match.groups()
        if "://" in target or not target or os.path.exists(os.path.join(folder, base, target)):
            return match.group(0)
        return "" if picture else words
    return LINK.sub(link, text)


def write_all(folder):
    """Fills a folder; returns the faults."""
    os.makedirs(os.path.join(folder, "manual"), exist_ok=True)
    carry(folder)
    for picture in glob.glob(os.path.join(ROOT, CATALOGUE, "*.svg")):
        shutil.copy(picture, os.path.join(folder, "manual"))
    pages = {os.path.basename(path)[:-3]: text_of(path) for path in glob.glob(os.path.join(ROOT, CATALOGUE, "*.md"))}
    titles = {name: re.match(r"# `*([^`\n]*)`*\n", text).group(1) for name, text in pages.items()}
    for name, text in pages.items():
        text = re.sub(r"<doc:(\w+)>", lambda match: f"[{titles[match.group(1)]}]({match.group(1)}.md)", text)
        text = re.sub(r"(?<!`)``(?!`)([^`\n]+)``(?!`)", r"`\1`", text)
        write(os.path.join(folder, "manual", name + ".md"), present(text, "manual", folder))
    write(os.path.join(folder, "SECURITY.md"), present(text_of("SECURITY.md"), "", folder))
    readme = present(SOURCES.sub("", text_of("README.md")).replace(CATALOGUE, "manual"), "", folder)
    write(os.path.join(folder, "README.md"), readme)
    print(f"README.md and {len(pages)} pages of the manual in {folder}")
    return [f"the README names what the archive has not: {line}" for line in sorted(
        {line for line in readme.splitlines() if ABSENT.search(line)})]
