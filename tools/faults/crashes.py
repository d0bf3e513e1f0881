"""What a power cut may leave of a folder, computed from the log of everything that was done in it.

The log is that of faults.c. The rules are those that POSIX leaves to a file system, so they allow more
than most do:

- what was written to a file and not followed by a sync of that file may be there or not, each sector of
  512 bytes by itself and in any order; the same goes for its size;
- a name that was made, changed or removed and not followed by a sync of its folder may be as it was
  before or after, each name by itself; renaming is one step, and so is what was cut;
- what was synced is there."""
import os

from proving import bytes_of

SECTOR = 512


class Call:
    """One line of the log, with the bytes that were written."""

    def __init__(self, number, kind, inode, offset, path, other, data):
        self.number, self.kind, self.inode, self.offset = number, kind, inode, offset
        self.path, self.other, self.data = path, other, data


def read_log(path):
    calls = []
    with open(path, "rb") as file:
        while line := file.readline():
            number, kind, inode, offset, length, path, other = line.decode().rstrip("\n").split("\t")
            data = file.read(int(length))
            calls.append(Call(int(number), kind, int(inode), int(offset), path, other, data))
    return calls


class File:
    """The bytes of a file as they are on the disk for sure, and what may be there besides, in order."""

    def __init__(self):
        self.synced, self.pending = bytearray(), []

    def sync(self):
        self.synced, self.pending = bytearray(self.content()), []

    def content(self, is_there=None):
        """The bytes as the program sees them, or after a power cut, when `is_there` is asked for every pending sector."""
        content = bytearray(self.synced)
        for change in self.pending:
            apply(content, change, is_there)
        return bytes(content)


def apply(content, change, is_there):
    """Makes a change; `is_there` is asked for every sector of it, None makes all of it."""
    kind, offset, data = change
    if kind == "resize":
        if is_there is None or is_there():
            if offset < len(content):
                del content[offset:]
            else:
                content.extend(bytes(offset - len(content)))
        return
    place = 0
    while place < len(data):
        end = min(len(data), (offset + place) // SECTOR * SECTOR + SECTOR - offset)
        if is_there is None or is_there():
            if len(content) < offset + end:
                content.extend(bytes(offset + end - len(content)))
            content[offset + place:offset + end] = data[place:end]
        place = end


class Folder:
    """The names in a folder that are on the disk for sure, and the changes that may be there besides."""

    def __init__(self):
        self.synced, self.pending = {}, []


class Disk:
    """Everything under one folder, brought forward call by call."""

    def __init__(self, root):
        self.root, self.top = root, Folder()
        # What the program sees: names without regard to the disk.
        self.names = {root: self.top}

    def put(self, state):
        """Gives an empty disk what it surely has."""
        for path, data in state.items():
            full = os.path.join(self.root, path)
            if data is None:
                entry = Folder()
            elif isinstance(data, tuple):
                entry = self.names[os.path.join(self.root, data[1])]
            else:
                entry = File()
                entry.synced = bytearray(data)
            self.names[full] = entry
            self.folder_of(full).synced[os.path.basename(full)] = entry

    def do(self, call):
        getattr(self, "do_" + call.kind)(call)

    def folder_of(self, path):
        return self.names[os.path.dirname(path)]

    def change(self, path, entry):
        """A name means something else, or nothing, from now on."""
        self.folder_of(path).pending.append([(os.path.basename(path), entry)])
        if entry is None:
            self.names.pop(path, None)
        else:
            self.names[path] = entry

    def do_create(self, call):
        self.change(call.path, File())

    def do_mkdir(self, call):
        self.change(call.path, Folder())

    def do_write(self, call):
        file = self.names.get(call.path)
        # A file without a name is nobody's after a power cut.
        if isinstance(file, File):
            file.pending.append(("write", call.offset, call.data))

    def do_resize(self, call):
        file = self.names.get(call.path)
        if isinstance(file, File):
            file.pending.append(("resize", call.offset, b""))

    do_empty = do_grow = do_resize

    def do_unlink(self, call):
        self.change(call.path, None)

    do_rmdir = do_unlink

    def do_link(self, call):
        self.change(call.other, self.names[call.path])

    def do_rename(self, call):
        entry = self.names[call.path]
        moved = {name: value for name, value in self.names.items() if name.startswith(call.path + "/")}
        for name, value in moved.items():
            del self.names[name]
            self.names[call.other + name[len(call.path):]] = value
        source, target = self.folder_of(call.path), self.folder_of(call.other)
        del self.names[call.path]
        self.names[call.other] = entry
        old, new = (os.path.basename(call.path), None), (os.path.basename(call.other), entry)
        if source is target:
            source.pending.append([old, new])
            return
        # One step across two folders: it is there as soon as either folder is synced.
        step = Step(source, old, target, new)
        source.pending.append(step)
        target.pending.append(step)

    def do_sync(self, call):
        entry = self.names.get(call.path)
        if isinstance(entry, File):
            entry.sync()
        elif isinstance(entry, Folder):
            pending, entry.pending = entry.pending, []
            for changes in pending:
                if isinstance(changes, Step):
                    changes.settle(entry)
                else:
                    settle(entry.synced, changes)

    def left(self, drawn):
        """What a power cut leaves: a dictionary of paths, with bytes for files and None for folders."""
        chance = drawn.choice([0.0, 0.1, 0.5, 0.5, 0.9, 1.0])
        name_chance = drawn.choice([0.0, 0.5, 0.5, 1.0])
        steps = {}
        result = {}
        self.collect(self.top, "", drawn, chance, name_chance, steps, result, {})
        return result

    def collect(self, folder, prefix, drawn, chance, name_chance, steps, result, contents):
        names = dict(folder.synced)
        for changes in folder.pending:
            if isinstance(changes, Step):
                if id(changes) not in steps:
                    steps[id(changes)] = drawn.random() < name_chance
                if steps[id(changes)]:
                    settle(names, [changes.part(folder)])
            elif drawn.random() < name_chance:
                settle(names, changes)
        for name, entry in sorted(names.items()):
            path = prefix + name
            if isinstance(entry, Folder):
                result[path] = None
                self.collect(entry, path + "/", drawn, chance, name_chance, steps, result, contents)
            else:
                if id(entry) not in contents:
                    contents[id(entry)] = (path, entry.content(lambda: drawn.random() < chance))
                first, content = contents[id(entry)]
                # Two names of one file stay two names of one file.
                result[path] = content if first == path else ("link", first)


class Step:
    """A renaming from one folder to another."""

    def __init__(self, source, old, target, new):
        self.source, self.old, self.target, self.new = source, old, target, new

    def part(self, folder):
        return self.old if folder is self.source else self.new

    def settle(self, folder):
        """Both folders have it from now on."""
        for place, change in ((self.source, self.old), (self.target, self.new)):
            if self in place.pending:
                place.pending.remove(self)
            settle(place.synced, [change])


def settle(names, changes):
    for name, entry in changes:
        if entry is None:
            names.pop(name, None)
        else:
            names[name] = entry


def lay_out(state, root):
    """Makes the files and folders of a state in an empty folder."""
    for path, content in state.items():
        place = os.path.join(root, path)
        if content is None:
            os.makedirs(place, exist_ok=True)
        elif isinstance(content, tuple):
            os.link(os.path.join(root, content[1]), place)
        else:
            with open(place, "wb") as file:
                file.write(content)


def read_tree(root):
    """What is in a folder, as lay_out takes it."""
    state = {}
    for place, folders, names in os.walk(root):
        folders.sort()
        for name in folders:
            state[os.path.relpath(os.path.join(place, name), root)] = None
        for name in names:
            state[os.path.relpath(os.path.join(place, name), root)] = bytes_of(os.path.join(place, name))
    return state
