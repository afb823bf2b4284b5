#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the pages on the house name in `backticks` is in the tree: files, folders, programs, types and functions.

usage: names_test.py ROOT"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
PAGES = ["docs/architecture.md", "docs/extending.md"]
FOLDERS = ["apps", "benchmarks", "cmake", "docs", "examples", "library", "models", "src", "tests", "tools", "viewer"]
# Things that a recipe lets its reader make, and placeholders.
MADE = {"Switch", "Switched", "add_NAME", "example_NAME", "tsv"}

files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
names = {path.name for path in files} | {path.stem for path in files}
names |= {f"test_{path.relative_to(ROOT / 'tests')}".replace("/", "_") for path in files
          if path.is_dir() and path.is_relative_to(ROOT / "tests")}
texts = [path for path in files if path.is_file() and path.suffix in
         (".hpp", ".cpp", ".mo", ".ts", ".sh", ".py", ".cmake", ".txt", "") and path.stat().st_size < 1_000_000]
words = set()
for path in [*texts, ROOT / "alembert", ROOT / "test", ROOT / "CMakePresets.json"]:
    words.update(re.findall(r"\w+", path.read_text(errors="ignore")))

missing = []
for page in PAGES:
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(), flags=re.M | re.S)
    for name in sorted(set(re.findall(r"`([^`\n]+)`", text))):
        parts = [part for part in re.findall(r"\w+", name) if not part.isdigit()]
        missing += [f"FAILED: {page} names `{name}`, and nothing is called {part}" for part in parts
                    if part not in names and part not in words and part not in MADE]
print("\n".join(missing) or f"{len(words)} words of the tree, nothing missing")
sys.exit(1 if missing else 0)
