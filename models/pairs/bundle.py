"""What a cross-encoder is trained on, in one file that needs nothing but PyTorch.

usage: bundle.py MODEL_FOLDER ADAPTER.safetensors OUT.pt PAIRS.jsonl [REPOSITORY ...]

MODEL_FOLDER has model.safetensors and tokenizer.json; the bundle's trunk is that model with the adapter
in it, in half precision. PAIRS.jsonl comes from pairs.py: doc comments and their functions. A REPOSITORY
is a clone: the subject and the first sentences of a commit that changed few functions, and those
functions as they were before it; what a module's first sentence says, and the heads of what it defines.
Names in held-out.txt, packages and repositories alike, are marked and serve for figures alone. For each
query the best by BM25 of its own package that are not its answer stand beside it. At most MAX_BYTES.
Needs torch, tokenizers, safetensors, and git.
"""

import collections
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

MAX_BYTES, MAX_QUERY, MAX_DOCUMENT, N_BESIDE = 60_000_000, 40, 72, 10
COMMITS, MAX_CHANGED, CAP, TOPICS = 6000, 4, 1500, 150
DRIVERS = {"py": "python", "rs": "rust", "go": "golang", "java": "java", "c": "cpp", "cc": "cpp", "h": "cpp", "cpp": "cpp", "js": "js", "ts": "js", "mjs": "js"}
JS_HEAD = r"^[ \t]*((export |default |async |static |get |set )*(function\*?|class)[ \t].*|(export )?(const|let|var) \w+ = .*(=>|function).*|(async |static |get |set |\*)*[#$_a-zA-Z][$_a-zA-Z0-9]*\([^;]*\)[ \t]*\{)$"
ASIDE = re.compile(r"(^|/)(tests?|testing|spec|__tests__|vendor|third_?party|examples?|docs?|bench\w*|fixtures?)(/|$)|(^|/)test_|_test\.|\.test\.|\.spec\.|conftest", re.I)
NAMED = re.compile(r"\b(?:def|fn|func(?:\s*\([^)]*\))?|function\*?|class)\s+([A-Za-z_$][\w$]*)|([A-Za-z_$~][\w$:~]*)\s*\(")
KINDS = ["comment", "change", "topic"]


def cut(text):
    """Identifiers as words, as `pretokenize = "code"` does it."""
    out, last = [], None
    for at, c in enumerate(text):
        after = text[at + 1] if at + 1 < len(text) else ""
        if last and last.isalnum() and c.isalnum():
            if last.isnumeric() != c.isnumeric() or (c.isupper() and (last.islower() or after.islower())):
                out.append(" ")
        last = c
        out.append(" " if c == "_" else c.lower())
    return "".join(out)


def log_of(repository):
    """The newest changes with the functions around them, as git tells where one begins."""
    with tempfile.NamedTemporaryFile("w", suffix=".attributes") as attributes:
        attributes.writelines(f"*.{ending} diff={driver}\n" for ending, driver in DRIVERS.items())
        attributes.flush()
        command = ["git", "-c", f"core.attributesFile={attributes.name}", "-c", f"diff.js.xfuncname={JS_HEAD}", "-C", repository,
                   "log", f"-{COMMITS}", "--no-merges", "--diff-filter=M", "--no-renames", "-p", "-W", "--format=%x00%B%x01",
                   "--", *(f"*.{ending}" for ending in DRIVERS)]
        return subprocess.run(command, check=True, capture_output=True).stdout.decode(errors="replace")


def said(message):
    """The subject and what follows it, without marks, signatures and numbers of tickets."""
    lines = [line for line in message.strip().splitlines() if not re.match(r"\s*(\w+-)+by:|\s*(closes|fixes|refs?|see)\b.{0,12}#", line, re.I)]
    text = " ".join(" ".join(lines[:12]).split())
    text = re.sub(r"\(?#\d+\)?|\b[0-9a-f]{8,40}\b|https?://\S+|\bFixes:?\s*$", "", text).strip()
    good = 4 <= len(text.split()) and not re.match(r"(merge|bump|release|version|update (dep|change)|prepare|changelog|format|typo|chore|docs?|style|lint|revert)\b", text, re.I)
    return " ".join(text.split()[:60]) if good else None


def changes(repository):
    """(message, functions as they were) of commits that changed few functions."""
    for entry in log_of(repository).split("\0")[1:]:
        message, _, patch = entry.partition("\1")
        query, old = said(message), []
        if not query:
            continue
        for file in patch.split("\ndiff --git ")[1:]:
            path = file.split(" b/", 1)[0].removeprefix("a/")
            if ASIDE.search(path):
                continue
            for hunk in re.split(r"^@@ [^\n]* @@[^\n]*\n", file, flags=re.M)[1:]:
                lines = [line[1:] for line in hunk.splitlines() if line[:1] in " -"]
                name = next((NAMED.search(line) for line in lines[:6] if NAMED.search(line)), None)
                if name and 3 <= len([line for line in lines if line.strip()]) <= 150:
                    old.append(f"{name[1] or name[2]}\n" + "\n".join(lines)[:2000])
        if 1 <= len(old) <= MAX_CHANGED:
            yield query, old


TOPIC = {".py": re.compile(r'\A(?:#[^\n]*\n|\s)*[ru]?"""\s*(.+?)(?:\.\s|\n\s*\n|""")', re.S), ".rs": re.compile(r"\A(?://![ \t]*\n)*//!\s*(.+?)(?:\.\s|\n(?!//!)|\n//!\s*\n)", re.S)}
HEADS = re.compile(r"^[ \t]*((?:pub(?:\([^)]*\))? |async |export |static )*(?:def|class|fn|struct|enum|trait|func|function) [^\n]{3,90})", re.M)


def topics(repository):
    """(what a module says of itself, its name and the heads of what it defines)."""
    listed = subprocess.run(["git", "-C", repository, "ls-tree", "-r", "--name-only", "HEAD"], check=True, capture_output=True, text=True)
    paths = [path for path in listed.stdout.splitlines() if pathlib.PurePath(path).suffix in TOPIC and not ASIDE.search(path)]
    for path in paths[: 4 * TOPICS]:
        text = subprocess.run(["git", "-C", repository, "show", f"HEAD:{path}"], capture_output=True).stdout.decode(errors="replace")
        topic, heads = TOPIC[pathlib.PurePath(path).suffix].match(text), HEADS.findall(text)
        if topic and len(heads) >= 3:
            words = " ".join(topic[1].replace("//!", " ").split())
            if 4 <= len(words.split()) <= 30 and words.isascii():
                yield words, path + "\n" + "\n".join(heads)[:2000]


def of_repositories(repositories):
    """Rows of queries and answers, and a row for each function that no query is left for: neighbours."""
    for repository in repositories:
        path = pathlib.Path(repository)
        name = (path.parent.name.split("+")[-1] if path.name == "repo" else path.name).removesuffix(".git")
        found = [("change", query, answers) for query, answers in changes(repository)][:CAP]
        found += [("topic", query, [answer]) for query, answer in topics(repository)][:TOPICS]
        print(f"{name}: {collections.Counter(kind for kind, *_ in found)}", flush=True)
        yield from ((name, *row) for row in found)


class Texts:
    """Token ids of texts, one after the other, each text once."""

    def __init__(self, tokenizer, most):
        self.tokenizer, self.most, self.at, self.ids, self.ends = tokenizer, most, {}, [], [0]

    def add(self, text):
        if text not in self.at:
            ids = self.tokenizer.encode(cut(text[:1500]), add_special_tokens=False).ids[: self.most]
            self.at[text] = len(self.ends) - 1
            self.ids += ids
            self.ends.append(len(self.ids))
        return self.at[text]

    def of(self, idx):
        return self.ids[self.ends[idx] : self.ends[idx + 1]]

    def tensors(self):
        return torch.tensor(self.ids, dtype=torch.int32).to(torch.uint16), torch.tensor(self.ends, dtype=torch.int32)


def beside(queries, documents, rows):
    """For each row the documents of its package that BM25 puts first, its own answers left out."""
    of_package = collections.defaultdict(list)
    for at, row in enumerate(rows):
        of_package[row[0]].append(at)
    out = [None] * len(rows)
    for ats in of_package.values():
        members = sorted({answer for at in ats for answer in rows[at][3]})
        counts = [collections.Counter(documents.of(idx)) for idx in members]
        known = {token: column for column, token in enumerate(sorted({token for count in counts for token in count}))}
        table = torch.zeros(len(members), len(known))
        for row, count in enumerate(counts):
            table[row, [known[token] for token in count]] = torch.tensor([float(n) for n in count.values()])
        length = table.sum(1, keepdim=True)
        rarity = torch.log(1 + len(members) / ((table > 0).sum(0) + 0.5))
        weights = (rarity * table * 2.2 / (table + 1.2 * (0.25 + 0.75 * length / length.mean()))).T.contiguous()
        for at in ats:
            tokens = [known[token] for token in set(queries.of(rows[at][2])) if token in known]
            best = weights[tokens].sum(0).topk(min(len(members), N_BESIDE + MAX_CHANGED)).indices.tolist()
            out[at] = [members[doc] for doc in best if members[doc] not in rows[at][3]][:N_BESIDE]
    return out


def trunk_of(folder, adapter):
    weights = {name.removeprefix("bert."): w.float() for name, w in load_file(folder / "model.safetensors").items()}
    change = load_file(adapter)
    for name in {name.rsplit(".", 1)[0] for name in change}:
        weights[f"{name}.weight"] += change[f"{name}.lora_B"].float() @ change[f"{name}.lora_A"].float()
    weights["embeddings.position_embeddings.weight"] = weights["embeddings.position_embeddings.weight"][:192]
    return {name: w.half() for name, w in weights.items() if "pooler" not in name and "position_ids" not in name}


def main():
    folder, adapter, out, pairs = map(pathlib.Path, sys.argv[1:5])
    held_out = (pathlib.Path(__file__).parent / "held-out.txt").read_text().split()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    queries, documents = Texts(tokenizer, MAX_QUERY), Texts(tokenizer, MAX_DOCUMENT)
    trunk = trunk_of(folder, adapter)
    room = MAX_BYTES - sum(w.numel() * 2 for w in trunk.values()) - 400_000

    found = [(p["package"], "comment", p["query"], [p.get("commented", p["document"]) if random.random() < 0.3 else p["document"]]) for p in map(json.loads, open(pairs, encoding="utf-8"))]
    found += of_repositories(sys.argv[5:])
    found.sort(key=lambda row: (row[0] not in held_out, hashlib.sha256(row[2].encode()).digest()))
    rows, kinds = [], []
    for package, kind, query, answers in found:
        # Two bytes for each token, four for each neighbour and end.
        if 2 * (len(queries.ids) + len(documents.ids)) + 4 * (N_BESIDE + 8) * len(rows) > room:
            break
        rows.append((package, kind, queries.add(query), [documents.add(answer) for answer in answers]))
        kinds.append(KINDS.index(kind))
    names = sorted({row[0] for row in rows})
    near = beside(queries, documents, rows)
    pad = lambda lists, n: torch.tensor([(row + [-1] * n)[:n] for row in lists], dtype=torch.int32)
    (query_ids, query_ends), (document_ids, document_ends) = queries.tensors(), documents.tensors()
    torch.save({
        "trunk": trunk, "packages": names,
        "query_ids": query_ids, "query_ends": query_ends, "document_ids": document_ids, "document_ends": document_ends,
        "query": torch.tensor([row[2] for row in rows], dtype=torch.int32),
        "answers": pad([row[3] for row in rows], MAX_CHANGED), "beside": pad(near, N_BESIDE),
        "package": torch.tensor([names.index(row[0]) for row in rows], dtype=torch.int16),
        "kind": torch.tensor(kinds, dtype=torch.uint8),
        "held_out": torch.tensor([row[0] in held_out for row in rows]),
    }, out)
    n_held = sum(row[0] in held_out for row in rows)
    print(f"{len(rows)} queries, {n_held} held out, {len(documents.ends) - 1} documents; {out.stat().st_size} bytes")
    print({kind: kinds.count(at) for at, kind in enumerate(KINDS)})


if __name__ == "__main__":
    random.seed(0)
    main()
