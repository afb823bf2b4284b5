#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gathers what the site is made from in a folder: the pages of docs/, files of the repository that
they point to, and the reference of the C++ interface, which is read from the headers. In the catalogue of
messages each model is followed by what the program says about it.

usage: docs/pages.py FOLDER [PROGRAM]   writes them; without a program the catalogue stays as it is written
       docs/pages.py --check            fails where pages or examples include what the reference has not, and where a link
                                        names a heading that its page has not"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What a user of the libraries includes, by task.
REFERENCE = {
    "expressions": ("Expressions", ["symbolic/expr", "symbolic/derivative", "symbolic/evaluate", "symbolic/matrix",
                                    "symbolic/simplify", "symbolic/solve", "symbolic/parse", "symbolic/print"]),
    "models": ("Models", ["frontend/builder/model", "frontend/builder/network", "frontend/builder/constrain",
                          "frontend/builder/part", "frontend/library/library", "frontend/modelica/modelica",
                          "flat/check", "flat/scene", "structure/explain", "structure/raw_counts"]),
    "mechanics": ("Mechanics", ["frontend/mechanics/vector", "frontend/mechanics/world", "frontend/mechanics/body",
                                "frontend/mechanics/joint", "frontend/mechanics/kane", "frontend/mechanics/lagrange",
                                "frontend/mechanics/constrained_system", "frontend/mechanics/motion",
                                "frontend/mechanics/integrability", "frontend/mechanics/start_values",
                                "frontend/mechanics/scene"]),
    "runs": ("Runs", ["compile/model/compiled_model", "integrate/simulate", "integrate/problem", "integrate/linearise",
                      "integrate/solve", "integrate/ode_system", "integrate/stepper", "integrate/checkpoint", "compile/lower",
                      "base/error"]),
    "results": ("Results and pictures", ["result/trajectory", "result/files", "result/csv", "result/compare",
                                         "visual/trajectory_figure", "visual/figure", "visual/write_figure",
                                         "visual/structure_figure", "visual/sweep_figure", "visual/page_of_run",
                                         "visual/page", "visual/video", "visual/terminal_sketch"]),
    "ensembles": ("Ensembles", ["ensemble/sweep", "ensemble/case_table", "ensemble/model_tape", "ensemble/ode_tape",
                                "ensemble/batch", "ensemble/adaptive_batch", "ensemble/rattle_step",
                                "ensemble/taylor_step", "ensemble/batch_output"]),
}


def introduction(lines):
    """The comment at the top of a header, without licence and stage."""
    text = []
    for line in lines:
        if not line.startswith("//"):
            break
        text.append(line[2:].removeprefix(" "))
    text = [line for line in text if not line.startswith("SPDX")]
    if text:
        text[0] = re.sub(r"^Stage: [a-z/_]+\. ", "", text[0])
    result = []
    for line in text:  # what is indented is code
        code = line.startswith("  ")
        if code != bool(result and result[-1].startswith("    ")):
            result.append("")
        result.append("  " + line if code else line)
    return result


def without_private(lines):
    """The declaration of a class up to where its users need not read."""
    kept = []
    for line in lines:
        if re.match(r" (private|protected):", line):
            while kept and not kept[-1].strip():
                kept.pop()
            kept.append("};")
            break
        kept.append(line)
    return kept


def name_of(lines):
    """Of what a piece declares; empty for what is declared ahead, and for directives."""
    code = [line for line in lines if not line.lstrip().startswith("//")]
    text = " ".join(line.split("//")[0].strip() for line in code)
    text = re.sub(r"^template <.*?>+ ", "", text)
    match = re.match(r"(?:class|struct|enum class|enum|union) (\w+)(.*)", text)
    if match:
        return "" if match.group(2).strip() == ";" else match.group(1)
    match = re.match(r"using (\w+) =", text)
    if match:
        return match.group(1)
    match = re.match(r"[^=(]*?(operator\s*\S+?|\w+)\s*\(", text)
    if match:
        return match.group(1)
    match = re.match(r"(?:inline |extern |constexpr |const )+[\w:<>, ]+[ *&](\w+)(?:\[\])? *[={;]", text)
    return match.group(1) if match else ""


def declarations(lines):
    """Pieces at the level of namespaces: comments and the declaration behind them."""
    piece, depth, hidden = [], 0, 0
    for line in lines:
        bare = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', "", line.split("//")[0])
        if depth == 0 and not piece:
            if re.match(r"namespace( \w+)? ?\{|inline namespace", line) or line.startswith("namespace "):
                hidden += "detail" in line
                continue
            if line.startswith("}") or not line.strip() or line.startswith("#"):
                hidden -= "detail" in line
                continue
        if depth == 0 and piece and not line.strip():
            piece = []  # a comment that stands alone
            continue
        piece.append(line)
        depth += bare.count("{") - bare.count("}") + bare.count("(") - bare.count(")")
        ends = bare.rstrip().endswith((";", "}"))
        if depth == 0 and ends and not line.lstrip().startswith("//"):
            if not hidden:
                yield piece
            piece = []


def is_type(piece):
    code = [line for line in piece if not line.lstrip().startswith(("//", "template"))]
    return re.match(r"(class|struct|enum|union) ", code[0]) is not None


def header_lines(header):
    return (ROOT / "src/alembert" / f"{header}.hpp").read_text().splitlines()


def header_anchor(header):
    """Of its heading, as the site makes it."""
    return re.sub(r"[^\w-]", "", f"{header}.hpp")


def header_section(header):
    """Types have headings of their own; what stands between two of them is one block."""
    lines = header_lines(header)
    out = [f"## {header}.hpp", "", "```cpp", f"#include <alembert/{header}.hpp>", "```", ""] + introduction(lines) + [""]
    block = []

    def close():
        if block:
            out.extend(["```cpp", *block, "```", ""])
            block.clear()

    for piece in declarations(lines):
        name = name_of(piece)
        if not name or re.match(r"using \w+::", piece[0]):
            continue
        if is_type(piece):
            close()
            out.extend([f"### {name}", ""])
        block.extend(without_private(piece))
        if is_type(piece):
            close()
    close()
    return out


def write_reference(folder):
    (folder / "reference").mkdir(exist_ok=True)
    for page, (title, headers) in REFERENCE.items():
        text = [f"# C++: {title.lower()}", "",
                "The declarations of these headers, with their comments, as they stand in the sources. "
                "[The C++ interface](../api.md) explains which of them you need, with a program for each task.", "",
                "| header | declares |", "|---|---|"]
        for header in headers:
            declared = [name for piece in declarations(header_lines(header)) if (name := name_of(piece))
                        and not re.match(r"using \w+::|.*operator", piece[0])]
            shown = ", ".join(f"`{name}`" for name in dict.fromkeys(declared))
            text.append(f"| [{header}.hpp](#{header_anchor(header)}) | {shown} |")
        text.append("")
        for header in headers:
            text += header_section(header)
        (folder / "reference" / f"{page}.md").write_text("\n".join(text) + "\n")


def with_files(text, page, folder):
    """Links to files outside of docs/ point to copies of them."""
    def moved(match):
        target = (page.parent / match.group(1)).resolve()
        if not target.is_file() or target.is_relative_to(ROOT / "docs") or not target.is_relative_to(ROOT):
            return match.group(0)
        copy = folder / "files" / f"{target.relative_to(ROOT)}.txt"
        if target.suffix in (".png", ".svg", ".html"):
            copy = copy.with_suffix("")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, copy)
        up = "../" * (len(page.relative_to(ROOT / "docs").parts) - 1)
        return f"]({up}{copy.relative_to(folder)}"
    return re.sub(r"\]\(([^)#: ]+)", moved, text)


def what_is_said(program, code, model):
    """About a model of the catalogue; mistakes that only a run meets are told by the second command."""
    with tempfile.TemporaryDirectory() as work:
        (pathlib.Path(work) / "model.mo").write_text(model)
        for command in ["check"], ["simulate", "--quiet"]:
            said = subprocess.run([program, *command, "model.mo"], cwd=work, timeout=60, capture_output=True, text=True).stderr
            if f"[{code}]" in said:
                return said.replace(f"{ROOT}/", "")
    return ""


def with_messages(text, program):
    """What the program says, behind each model of the catalogue."""
    def answered(match):
        said = what_is_said(program, match.group(1), match.group(3))
        return match.group(0) + (f"\n\n```text\n{said.rstrip()}\n```" if said else "")
    return re.sub(r"^### (\w+):((?:(?!^### ).)*?)^```modelica\n(.*?)^```$", answered, text, flags=re.M | re.S)


def missing_headers():
    """What README, pages and examples include or name, and the reference does not have."""
    known = {header for _, headers in REFERENCE.values() for header in headers} | {"alembert"}
    sources = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.cpp")]
    named = set()
    for source in sources:
        named |= set(re.findall(r"[<\"`]alembert/([\w/]+)\.hpp[>\"`]", source.read_text()))
    return sorted(named - known)


def headings(text):
    """As links name them."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title.replace("`", "")).strip().lower())
            for title in re.findall(r"^#+ (.*)$", text, flags=re.M)}


def missing_headings():
    """Links between pages that name a heading which is not there."""
    wrong = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
        for target, heading in re.findall(r"\]\(([^)#: ]*)#([^)]+)\)", text):
            other = (page.parent / target).resolve() if target else page
            if other.suffix == ".md" and heading not in headings(other.read_text()):
                wrong.append(f"{page.relative_to(ROOT)} points to {target}#{heading}, which is no heading")
    return wrong


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if sys.argv[1] == "--check":
        wrong = [f"the reference has no {header}.hpp" for header in missing_headers()] + missing_headings()
        sys.exit("".join(f"docs/pages.py: {line}\n" for line in wrong) or 0)
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("build", "*.py"))
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text()
        if page.name == "errors.md" and len(sys.argv) == 3:
            text = with_messages(text, str(pathlib.Path(sys.argv[2]).resolve()))
        (folder / page.relative_to(ROOT / "docs")).write_text(with_files(text, page, folder))
    write_reference(folder)


if __name__ == "__main__":
    main()
