"""Chooses the words of the static table.

usage: vocabulary.py PACKAGES PAIRS.jsonl TOKENIZER.json WORDS.jsonl

By the number of packages in whose sources a word stands, twice the number of packages in whose doc
comments' first sentences it stands, and a little more for whole words of MiniLM's own vocabulary.
Packages of ../pairs/held-out.txt are not counted. One JSON string a line, the most frequent first.
"""

import collections
import json
import multiprocessing
import pathlib
import random
import sys

import words as w

MOST_WORDS = 48_000
FILES, CHARACTERS, LONGEST = 120, 1_000_000, 24
HELD_OUT = set((pathlib.Path(__file__).resolve().parent.parent / "pairs" / "held-out.txt").read_text().split())


def words_of_package(folder):
    """Of at most FILES files, in a random order, until CHARACTERS are read."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix and ".min." not in path.name)
    random.Random(1).shuffle(paths)
    found, n_files, n_characters = set(), 0, 0
    for path in paths:
        if path.stat().st_size > 200_000:
            continue
        text = path.read_text(errors="ignore")
        for line in [text] if text.isascii() else text.split("\n"):
            found.update(word for word in w.words(line) if len(word) <= LONGEST)
        n_files, n_characters = n_files + 1, n_characters + len(text)
        if n_files >= FILES or n_characters > CHARACTERS:
            break
    return found


def in_questions(pairs_path):
    packages = collections.defaultdict(set)
    for line in open(pairs_path, encoding="utf-8"):
        pair = json.loads(line)
        if pair["package"] not in HELD_OUT:
            for word in w.words(pair["query"]):
                packages[word].add(pair["package"])
    return {word: len(of) for word, of in packages.items()}


def main(packages, pairs_path, tokenizer, out):
    folders = [folder for language in pathlib.Path(packages).iterdir() for folder in sorted(language.iterdir())]
    sources = collections.Counter()
    with multiprocessing.Pool() as pool:
        for found in pool.imap_unordered(words_of_package, [f for f in folders if f.is_dir() and f.name not in HELD_OUT]):
            sources.update(found)
    questions = in_questions(pairs_path)
    published = json.loads(pathlib.Path(tokenizer).read_text(encoding="utf-8"))["model"]["vocab"]
    published = {word for word in published if word.isascii() and word.isalpha() and len(word) > 2}
    score = {suffix: 1e6 for suffix in w.SUFFIXES}
    for word in set(sources) | set(questions) | published:
        frequency = sources[word] + 2 * questions.get(word, 0)
        number = word.isdigit() and len(word) > 3 and frequency < 60
        if not number and not w.without_spaces(word[0]) and w.words(word) == [word]:
            score.setdefault(word, frequency + (1.5 if word in published else 0))
    chosen = sorted(score, key=lambda word: (-score[word], word))[:MOST_WORDS]
    pathlib.Path(out).write_text("".join(json.dumps(word) + "\n" for word in chosen))


if __name__ == "__main__":
    main(*sys.argv[1:])
