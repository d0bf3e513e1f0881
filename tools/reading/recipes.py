"""The steps of Plans/ci/github-actions.yml and Plans/ci/gitlab-ci.yml are carried out as their runners would, in a project of its
own: once over a migration that is right, where every step must end with 0 and leave what the file names as artifacts, and once
over one that loses values, where the plan must fail. The steps are read from the files; only the installation is left out.
Used by tools/docs."""
import os, re, shutil, subprocess, tempfile

from examples import PATH, PLANS


def indentation(line):
    return len(line) - len(line.lstrip(" "))


def block(lines, start):
    """The lines that are indented further than the one before them."""
    depth, end = indentation(lines[start]), start + 1
    while end < len(lines) and (not lines[end].strip() or indentation(lines[end]) > depth):
        end += 1
    return lines[start + 1:end]


def recipe(name):
    """The variables, steps and artifacts of a file; of YAML only what the two files use."""
    with open(os.path.join(PLANS, "ci", name)) as file:
        lines = file.read().split("\n")
    variables, steps, artifacts = {}, [], []
    for index, line in enumerate(lines):
        word = line.strip()
        if word in ("env:", "variables:"):
            for entry in block(lines, index):
                key, _, value = entry.strip().partition(": ")
                if key:
                    variables[key] = value
        elif word == "run: |":
            steps.append("\n".join(text.strip() for text in block(lines, index)))
        elif word.startswith("run: "):
            steps.append(word[5:])
        elif word in ("script:", "before_script:"):
            steps += [text.strip()[2:] for text in block(lines, index) if text.strip()]
        elif word in ("path: |", "paths:"):
            artifacts += [text.strip().removeprefix("- ") for text in block(lines, index) if text.strip()]
        elif word.startswith("junit: "):
            artifacts.append(word[7:])
    return variables, [step for step in steps if "dpkg" not in step], artifacts


def project(folder, loses):
    """An app whose model has two versions; in one of two projects the later one has no titles."""
    model = os.path.join(folder, "App/Notes.xcdatamodeld")
    shutil.copytree(os.path.join(PLANS, "uncloudnotes/UnCloudNotesDataModel.xcdatamodeld"), model)
    os.makedirs(os.path.join(folder, "App/Mappings"))
    for version in ("v3", "v4"):
        shutil.rmtree(os.path.join(model, f"UnCloudNotesDataModel {version}.xcdatamodel"))
    os.makedirs(os.path.join(folder, "Tools"))
    shutil.copy(os.path.join(PLANS, "ci", "junit.jq"), os.path.join(folder, "Tools"))
    current = os.path.join(model, ".xccurrentversion")
    with open(current) as file:
        text = file.read()
    with open(current, "w") as file:
        file.write(re.sub(r"UnCloudNotesDataModel v\d\.xcdatamodel", "UnCloudNotesDataModel v2.xcdatamodel", text))
    if loses:
        contents = os.path.join(model, "UnCloudNotesDataModel v2.xcdatamodel/contents")
        with open(contents) as file:
            text = file.read()
        shorter = re.sub(r'\s*<attribute name="title"[^>]*/>', "", text)
        assert shorter != text
        with open(contents, "w") as file:
            file.write(shorter)


def carry_out(name, loses):
    """Carries out the steps of a file; returns a fault."""
    variables, steps, artifacts = recipe(name)
    if len(steps) != 5 or len(artifacts) < 3:
        return f"{name}: it has other steps or artifacts: {steps}, {artifacts}"
    with tempfile.TemporaryDirectory(prefix="ci-") as folder:
        project(folder, loses)
        environment = {**os.environ, **variables, "PATH": PATH}
        for number, step in enumerate(steps):
            done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", step], cwd=folder, env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if loses and number == 1:
                fails = done.returncode == 65 and "title" in done.stdout
                return None if fails else f"{name}: a plan that loses titles ended with {done.returncode}:\n{done.stdout}"
            if done.returncode != 0:
                return f"{name}: {step}\nended with {done.returncode}:\n{done.stdout}"
        missing = [path for path in artifacts if not os.path.getsize(os.path.join(folder, path))]
    return f"{name}: empty artifacts {missing}" if missing else None


def check():
    """Carries out both files in both projects; returns the faults."""
    return [fault for name in ("github-actions.yml", "gitlab-ci.yml") for loses in (False, True)
            if (fault := carry_out(name, loses))]
