"""Trains the static table: a vector and two weights for each word, for code search without a transformer.

usage: train.py questions MORE.jsonl PAIRS.jsonl QUESTIONS.jsonl [COSQA]
       train.py table MORE.jsonl PAIRS.jsonl WORDS.jsonl WORDS.bin QUESTIONS.jsonl QUESTIONS.bin OUT.safetensors [COSQA]

MORE.jsonl comes from more_pairs.py, PAIRS.jsonl from ../pairs/pairs.py (figures alone), WORDS.jsonl from
vocabulary.py; the two .bin from `cargo run --release -p whyrank-inference --example token_states` over the
words and over QUESTIONS.jsonl. Packages of ../pairs/held-out.txt are left out of training; figures are
theirs, and those of CoSQA's development questions if COSQA (cosqa.json: questions, index of the right
function, functions) is given: doc comments that stand in its functions are then left out as well.
numpy and scipy alone: gradients of the two-sided InfoNCE over bags of words are written out below.
"""

import copy
import json
import multiprocessing
import os
import pathlib
import re
import struct
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process for each member

import numpy as np
from scipy import sparse

import words as w

N_WORDS, DIM = 28_000, 256
PASSES, BATCH = 1.5, 512
# The file is the mean of tables trained from one start: seed, how many batches come from a few packages of one
# language (at most OF_PACKAGE pairs of each), weight of the transformer's cosines as a second target.
MEMBERS = [(0, 0.5, 0.0), (1, 1.0, 0.3), (2, 0.5, 0.3)]
OF_PACKAGE = 32
RATE, WEIGHT_RATE = 2e-3, 1e-2
# Questions said otherwise: without small words, with a third of the words dropped, "how to", the language's name.
NO_SMALL, DROPPED, HOW_TO, LANGUAGE = 0.15, 0.15, 0.1, 0.12
# Definitions shown otherwise: under the rest of their comment, without the line of the name, without the name's words.
COMMENTED, NO_NAME, MASKED = 0.4, 0.1, 0.1
# The transformer's cosines of questions among each other.
TEACHER_BATCH, TEACHER_SCALE, N_QUESTIONS = 512, 20.0, 60_000
SMALL_WORDS = "a an the of to for in on is are be this that it its with by from as and or if into at which".split()
SPOKEN = {"py": "python", "js": "javascript", "go": "golang", "rust": "rust", "java": "java", "c": "c"}
HELD_OUT = set((pathlib.Path(__file__).resolve().parent.parent / "pairs" / "held-out.txt").read_text().split())


class Vocabulary:
    """Words to rows; unknown words get rows after the known ones."""

    def __init__(self, known):
        self.words, self.row = known, {word: row for row, word in enumerate(known)}
        self.unknown, self.cache = {}, {}

    def rows(self, text):
        out = []
        for word in w.words(text):
            if word not in self.cache:
                self.cache[word] = [self.token_row(token) for token in w.tokens_of(word, self.row)]
            out += self.cache[word]
        return out

    def token_row(self, token):
        if token in self.row:
            return self.row[token]
        return len(self.words) + self.unknown.setdefault(token[1:], len(self.unknown))


class Texts:
    """Bags of many texts, end to end: rows, and how often each is in the name and in the rest."""

    def __init__(self, vocabulary, texts, named):
        starts, rows, in_name, in_rest = [0], [], [], []
        for text in texts:
            text = text.encode()[: w.MOST_BYTES].decode(errors="ignore")
            name, _, rest = text.partition("\n") if named else ("", "", text)
            times = {}
            for at, part in enumerate((name, rest)):
                for row in vocabulary.rows(part):
                    times.setdefault(row, [0, 0])[at] += 1
            rows += times
            for n_name, n_rest in times.values():
                in_name.append(n_name)
                in_rest.append(n_rest)
            starts.append(len(rows))
        self.starts, self.rows = np.array(starts), np.array(rows, np.int32)
        self.in_name, self.in_rest = np.array(in_name, np.float32), np.array(in_rest, np.float32)

    def __len__(self):
        return len(self.starts) - 1

    def take(self, which):
        """Which text (by its place in `which`), row, times in the name, times in the rest."""
        begin = self.starts[which]
        n = self.starts[which + 1] - begin
        text = np.repeat(np.arange(len(which)), n)
        at = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n) + np.repeat(begin, n)
        return text, self.rows[at], self.in_name[at], self.in_rest[at]


class Model:
    """The table, the logarithms of both sides' weights, and four scalars (logarithms as well)."""

    UNKNOWN, NAME, SCALE = (0, 1), 2, 3

    def __init__(self, table, weights):
        self.table, self.n = np.ascontiguousarray(table, np.float32), len(table)
        self.weights = [np.log(weights).astype(np.float32) for _ in range(2)]
        self.scalars = np.array([0, 0, 0, 3], np.float32)
        self.directions = np.zeros((0, table.shape[1]), np.int8)

    def learn_unknown(self, vocabulary):
        new = list(vocabulary.unknown)[len(self.directions) :]
        if new:
            new = [np.sign(w.direction(word, DIM)).astype(np.int8) for word in new]
            self.directions = np.concatenate([self.directions, new])

    def vectors_of(self, rows):
        known, out = rows < self.n, np.empty((len(rows), DIM), np.float32)
        out[known] = self.table[rows[known]]
        out[~known] = self.directions[rows[~known] - self.n] / np.float32(np.sqrt(DIM))
        return out

    def weights_of(self, rows, side):
        known = np.exp(self.weights[side][np.minimum(rows, self.n - 1)])
        return np.where(rows < self.n, known, np.exp(self.scalars[self.UNKNOWN[side]])).astype(np.float32)

    def encode(self, texts, side):
        out = []
        for which in np.array_split(np.arange(len(texts)), max(1, len(texts) // 2000)):
            bag = Bag(self, side, len(which), *texts.take(which))
            out.append(unit(bag.matrix @ self.vectors_of(bag.distinct))[0])
        return np.concatenate(out)


class Bag:
    """Texts as a sparse matrix over the distinct rows that they have."""

    def __init__(self, model, side, n_texts, text, rows, in_name, in_rest):
        self.distinct, at = np.unique(rows, return_inverse=True)
        weights = model.weights_of(self.distinct, side)[at]
        factor = np.exp(model.scalars[Model.NAME])
        shape = (n_texts, len(self.distinct))
        matrix = lambda values: sparse.csr_matrix((values.astype(np.float32), (text, at)), shape)
        self.names = matrix(np.sqrt(in_name) * weights)
        self.matrix = matrix((np.sqrt(in_rest) + factor * np.sqrt(in_name)) * weights)


def unit(rows):
    norms = np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9
    return rows / norms, norms


def through_unit(gradient, units, norms):
    return (gradient - units * (gradient * units).sum(1, keepdims=True)) / norms


def softmax(scores):
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


class Gradient:
    """Sums what both targets ask of the rows of a step."""

    def __init__(self, model, bags):
        self.model, self.rows = model, np.unique(np.concatenate([bag.distinct for bag in bags]))
        self.table = np.zeros((len(self.rows), DIM), np.float32)
        self.weights = np.zeros((2, len(self.rows)), np.float32)
        self.scalars = np.zeros(4, np.float32)

    def add(self, side, bag, vectors, at_sums):
        """`at_sums`: the gradient at the sums of the bags. A weight's is its row's times the row's vector."""
        at = np.searchsorted(self.rows, bag.distinct)
        gradient = bag.matrix.T @ at_sums
        of_weights = (gradient * vectors).sum(1)
        self.table[at] += gradient
        self.weights[side][at] += of_weights
        self.scalars[Model.UNKNOWN[side]] += of_weights[bag.distinct >= self.model.n].sum()
        self.scalars[Model.NAME] += ((bag.names @ vectors) * at_sums).sum() * np.exp(self.model.scalars[Model.NAME])


def contrast(model, questions, documents, teacher):
    """Both losses of a step and their gradient; `teacher`: a bag of questions for each side, cosines, weight."""
    bags = [questions, documents, *(teacher[:2] if teacher else [])]
    gradient = Gradient(model, bags)
    vectors = [model.vectors_of(bag.distinct) for bag in bags]
    (q, q_norms), (d, d_norms) = (unit(bag.matrix @ of) for bag, of in zip(bags[:2], vectors))
    n, scale, cosines = len(q), np.exp(model.scalars[Model.SCALE]), q @ d.T
    rows, columns = softmax(scale * cosines), softmax(scale * cosines.T).T
    losses = [-np.log(np.diag(rows) + 1e-12).mean() / 2 - np.log(np.diag(columns) + 1e-12).mean() / 2]
    at_scores = (rows + columns - 2 * np.eye(n, dtype=np.float32)) / (2 * n)
    gradient.scalars[Model.SCALE] = (at_scores * cosines).sum() * scale
    at_cosines = at_scores * scale
    gradient.add(0, questions, vectors[0], through_unit(at_cosines @ d, q, q_norms))
    gradient.add(1, documents, vectors[1], through_unit(at_cosines.T @ q, d, d_norms))
    if teacher:
        (a, a_norms), (b, b_norms) = (unit(bag.matrix @ of) for bag, of in zip(bags[2:], vectors[2:]))
        others = ~np.eye(len(a), dtype=bool)
        target = softmax(np.where(others, TEACHER_SCALE * teacher[2], -1e4))
        scores = np.where(others, TEACHER_SCALE * (a @ b.T), -1e4)
        rows, columns = softmax(scores), softmax(scores.T).T
        losses.append((target * (np.log(target + 1e-12) - np.log(rows + 1e-12))).sum(1).mean())
        at_scores = np.where(others, teacher[3] * (rows + columns - target - target.T) / (2 * len(a)), 0)
        at_cosines = (TEACHER_SCALE * at_scores).astype(np.float32)
        gradient.add(0, teacher[0], vectors[2], through_unit(at_cosines @ b, a, a_norms))
        gradient.add(1, teacher[1], vectors[3], through_unit(at_cosines.T @ a, b, b_norms))
    return losses, gradient


class Adam:
    """Rows that a step does not touch keep still."""

    def __init__(self, values, rate):
        self.values, self.rate = values, rate
        self.mean, self.square = np.zeros_like(values), np.zeros_like(values)

    def step(self, rows, gradient, t, fade):
        mean = self.mean[rows] * 0.9 + 0.1 * gradient
        square = self.square[rows] * 0.999 + 0.001 * gradient * gradient
        self.mean[rows], self.square[rows] = mean, square
        change = (mean / (1 - 0.9**t)) / (np.sqrt(square / (1 - 0.999**t)) + 1e-8)
        self.values[rows] -= (self.rate * fade * change).astype(np.float32)


class Pairs:
    """What is trained on: bags of questions and definitions, and which belong together."""

    def __init__(self, vocabulary, pairs):
        rest = [(rest_of_comment(pair), at) for at, pair in enumerate(pairs) if "commented" in pair]
        rest = [(text, at) for text, at in rest if len(text.split()) >= 6]
        commented = [at for at, pair in enumerate(pairs) if "commented" in pair]
        self.questions = Texts(vocabulary, [pair["query"] for pair in pairs] + [text[:300] for text, _ in rest], False)
        documents = [pair["document"] for pair in pairs] + [pairs[at]["commented"] for at in commented]
        self.documents = Texts(vocabulary, documents, True)
        self.document_of = np.concatenate([np.arange(len(pairs)), np.array([at for _, at in rest], int)])
        self.commented_of = np.full(len(self.document_of), -1)
        self.commented_of[commented] = len(pairs) + np.arange(len(commented))
        language = np.array([pair["language"] for pair in pairs])[self.document_of]
        package = np.array([f"{pair['package']}/{pair['language']}" for pair in pairs])[self.document_of]
        self.spoken = np.array([vocabulary.row[SPOKEN[name]] for name in language])
        self.small = np.array([vocabulary.row[word] for word in SMALL_WORDS])
        self.how_to = [vocabulary.row["how"], vocabulary.row["to"]]
        self.of_package = {name: np.flatnonzero(package == name) for name in np.unique(package)}
        self.packages = {}
        for name in self.of_package:
            self.packages.setdefault(name.rsplit("/", 1)[1], []).append(name)

    def __len__(self):
        return len(self.document_of)

    def asked(self, which, random):
        """Questions of a batch, some said otherwise."""
        text, rows, _, times = self.questions.take(which)
        dice = random.random(len(which))
        small = (dice < NO_SMALL)[text] & np.isin(rows, self.small)
        dropping = (dice >= NO_SMALL) & (dice < NO_SMALL + DROPPED)
        kept = keep_some(text, ~small & ~(dropping[text] & (random.random(len(rows)) < 1 / 3)), len(which))
        how_to = np.flatnonzero((dice >= NO_SMALL + DROPPED) & (dice < NO_SMALL + DROPPED + HOW_TO))
        named = np.flatnonzero(random.random(len(which)) < LANGUAGE)
        text = np.concatenate([text[kept], how_to, how_to, named])
        added = [np.full(len(how_to), row) for row in self.how_to]
        rows = np.concatenate([rows[kept], *added, self.spoken[which[named]]])
        times = np.concatenate([times[kept], np.ones(2 * len(how_to) + len(named), np.float32)])
        return text, rows, np.zeros_like(times), times

    def shown(self, which, random):
        """Definitions of a batch, some shown otherwise."""
        commented = (self.commented_of[which] >= 0) & (random.random(len(which)) < COMMENTED)
        documents = np.where(commented, self.commented_of[which], self.document_of[which])
        text, rows, in_name, in_rest = self.documents.take(documents)
        dice = random.random(len(which))
        masked, nameless = (dice < MASKED)[text], (dice < MASKED + NO_NAME)[text]
        kept = keep_some(text, ~(masked & (in_name > 0)) & ~(nameless & (in_rest == 0)), len(which))
        in_name = np.where(nameless & (in_rest > 0), 0, in_name)
        return text[kept], rows[kept], in_name[kept], in_rest[kept]

    def near(self, random):
        languages = list(self.packages)
        sizes = np.array([sum(len(self.of_package[name]) for name in self.packages[one]) for one in languages], float)
        batch = []
        for name in random.permutation(self.packages[languages[random.choice(len(sizes), p=sizes / sizes.sum())]]):
            of = self.of_package[name]
            batch += list(random.choice(of, min(len(of), OF_PACKAGE), replace=False))
            if len(batch) >= BATCH:
                break
        return np.array(batch[:BATCH])

    def batches(self, random, n_steps, near):
        order, at = random.permutation(len(self)), 0
        for _ in range(n_steps):
            if random.random() < near:
                yield self.near(random)
                continue
            if at + BATCH > len(self):
                order, at = random.permutation(len(self)), 0
            yield order[at : at + BATCH]
            at += BATCH


def rest_of_comment(pair):
    lines = set(pair["document"].split("\n"))
    return " ".join(line for line in pair["commented"].split("\n") if line not in lines)


def keep_some(text, kept, n_texts):
    """A text of which nothing would be left is left as it is."""
    left = np.zeros(n_texts, bool)
    left[text[kept]] = True
    return kept | ~left[text]


def train(model, pairs, taught, by_teacher, report, member):
    """`taught`: bags of the questions whose vectors by the transformer are the rows of `by_teacher`."""
    seed, near, by = member
    random = np.random.default_rng(seed)
    table, scalars = Adam(model.table, RATE), Adam(model.scalars, WEIGHT_RATE)
    weights = [Adam(of, WEIGHT_RATE) for of in model.weights]
    n_steps, recent = int(PASSES * len(pairs) / BATCH), []
    for t, which in enumerate(pairs.batches(random, n_steps, near), 1):
        questions = Bag(model, 0, len(which), *pairs.asked(which, random))
        documents = Bag(model, 1, len(which), *pairs.shown(which, random))
        teacher = None
        if by:
            some = random.choice(len(taught), TEACHER_BATCH, replace=False)
            both = [Bag(model, side, len(some), *taught.take(some)) for side in (0, 1)]
            teacher = [*both, by_teacher[some] @ by_teacher[some].T, by]
        losses, gradient = contrast(model, questions, documents, teacher)
        known, fade = gradient.rows < model.n, min(1, t / 50) * max(0.02, 1 - t / n_steps)
        rows = gradient.rows[known]
        table.step(rows, gradient.table[known], t, fade)
        for side in (0, 1):
            weights[side].step(rows, gradient.weights[side][known], t, fade)
        scalars.step(slice(None), gradient.scalars, t, fade)
        recent.append(losses)
        if t == n_steps or t % 400 == 0:
            report(f"{member}, step {t} of {n_steps}: loss {np.mean(recent, 0).round(3)}", model)
            recent = []
    return model


def mean_of(models):
    model = copy.copy(models[0])
    model.table = np.mean([of.table for of in models], 0)
    model.weights = [np.mean([of.weights[side] for of in models], 0) for side in (0, 1)]
    model.scalars = np.mean([of.scalars for of in models], 0)
    return model


def initial(vocabulary, states, pairs):
    """The transformer's vectors of words alone, centred, without their first principal direction; SIF weights."""
    n_words, times = len(vocabulary.words), np.zeros(len(vocabulary.words))
    for texts, often in ((pairs.questions, 3), (pairs.documents, 1)):
        known = texts.rows < n_words
        np.add.at(times, texts.rows[known], often * (texts.in_name + texts.in_rest)[known])
    share = (times + 0.1) / (times + 0.1).sum()
    centred = states - (states * share[:, None]).sum(0)
    weighed = centred * np.sqrt(share)[:, None]
    _, axes = np.linalg.eigh(weighed.T @ weighed)
    table = centred @ axes[:, ::-1][:, 1 : 1 + DIM]
    return table / np.linalg.norm(table, axis=1).mean(), 1e-3 / (1e-3 + share)


def read_pooled(path):
    data, at, out = pathlib.Path(path).read_bytes(), 0, []
    while at < len(data):
        n, dim = struct.unpack_from("<II", data, at)
        out.append(np.frombuffer(data, "<f4", dim, at + 8))
        at += 8 + 4 * dim + n * (12 + 2 * dim)
    return np.array(out)


def read_lines(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def held_out_pairs(path):
    """1,000 of them, at most 100 of a package before the draw; and all their questions."""
    held_out = [pair for pair in read_lines(path) if pair["package"] in HELD_OUT]
    times, some = {}, []
    for pair in held_out:
        times[pair["package"]] = times.get(pair["package"], 0) + 1
        if times[pair["package"]] <= 100:
            some.append(pair)
    drawn = np.random.default_rng(0).permutation(len(some))[:1000]
    return [some[at] for at in drawn], {pair["query"].lower() for pair in held_out}


def first_sentences(functions):
    text = "\n".join(" ".join(function.split()) for function in functions).lower()
    return {sentence for marks in ('"""', "'''") for sentence in re.findall(marks + r"\s*(.{15,200}?)[.\n]", text)}


def figures(scores, right):
    of_right = scores[np.arange(len(right)), right][:, None]
    ranks = (scores > of_right).sum(1) + 1
    within = ranks <= 10
    gain, reciprocal = np.where(within, 1 / np.log2(1 + ranks), 0).mean(), np.where(within, 1 / ranks, 0)
    line = f"MRR@10 {reciprocal.mean():.3f} R@1 {(ranks == 1).mean():.3f} R@10 {within.mean():.3f} NDCG@10 {gain:.3f}"
    return line, reciprocal


def tensors(model, vocabulary):
    scale = np.abs(model.table).max(1) / 7
    return {
        "embeddings": w.packed(np.round(model.table / scale[:, None]).astype(np.int8)),
        "query_weights": (np.exp(model.weights[0]) * scale).astype("<f4"),
        "document_weights": (np.exp(model.weights[1]) * scale).astype("<f4"),
        "words": np.frombuffer("\n".join(vocabulary.words).encode(), np.uint8),
    }


def save(model, vocabulary, path):
    unknown_query, unknown_document, name = (repr(float(x)) for x in np.exp(model.scalars[:3]))
    about = {"version": "1", "unknown_query_weight": unknown_query, "unknown_document_weight": unknown_document}
    header, blob = {"__metadata__": {**about, "count": "sqrt", "name_factor": name}}, b""
    kinds = {"float32": "F32", "uint8": "U8"}
    for key, tensor in tensors(model, vocabulary).items():
        offsets = [len(blob), len(blob) + tensor.nbytes]
        header[key] = {"dtype": kinds[tensor.dtype.name], "shape": list(tensor.shape), "data_offsets": offsets}
        blob += tensor.tobytes()
    header = json.dumps(header).encode()
    header += b" " * (-len(header) % 8)
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(header)) + header + blob)


def as_served(model, vocabulary):
    """The model with the four-bit table that the file has."""
    served, of = Model(model.table, np.ones(model.n)), tensors(model, vocabulary)
    served.table = w.unpacked(of["embeddings"]).astype(np.float32)
    served.weights = [np.log(of["query_weights"]), np.log(of["document_weights"])]
    served.scalars, served.directions = model.scalars, model.directions
    return served


def read_cosqa(path):
    return json.loads(pathlib.Path(path).read_text()) if path else ([], [], [])


def to_learn_from(more_path, pairs_path, functions):
    """Functions alone (README: why not the rest), and nothing that the figures are made on."""
    unseen, not_asked = held_out_pairs(pairs_path)
    definitions, in_cosqa = {pair["document"] for pair in unseen}, first_sentences(functions)

    def good(pair):
        query = pair["query"].lower()
        if pair["kind"] != "function" or pair["package"] in HELD_OUT or pair["document"] in definitions:
            return False
        return query not in not_asked and not (query in in_cosqa and pair["language"] == "py")

    return [pair for pair in read_lines(more_path) if good(pair)], unseen


def questions(more_path, pairs_path, out, cosqa=None):
    some, _ = to_learn_from(more_path, pairs_path, read_cosqa(cosqa)[2])
    drawn = np.random.default_rng(5).permutation(len(some))[:N_QUESTIONS]
    pathlib.Path(out).write_text("".join(json.dumps(some[at]["query"]) + "\n" for at in drawn))


def table(more_path, pairs_path, words_path, word_states, questions_path, question_states, out, cosqa=None):
    started, used = time.time(), time.process_time()
    vocabulary = Vocabulary(read_lines(words_path)[:N_WORDS])
    asked, right, functions = read_cosqa(cosqa)
    seen, unseen = to_learn_from(more_path, pairs_path, functions)
    pairs = Pairs(vocabulary, seen)
    taught = Texts(vocabulary, read_lines(questions_path), False)
    tests = {"held out": ([p["query"] for p in unseen], [p["document"] for p in unseen], np.arange(len(unseen)))}
    if cosqa:
        tests["CoSQA"] = (asked, functions, np.array(right))
    tests = {k: (Texts(vocabulary, q, False), Texts(vocabulary, d, True), g) for k, (q, d, g) in tests.items()}
    print(f"{len(pairs)} pairs, {len(taught)} questions with the transformer's vectors", flush=True)
    model = Model(*initial(vocabulary, read_pooled(word_states)[:N_WORDS], pairs))
    model.learn_unknown(vocabulary)

    def report(title, model):
        lines = [f"{title} ({time.time() - started:.0f} s)"]
        for name, (q, d, gold) in tests.items():
            line, reciprocal = figures(model.encode(q, 0) @ model.encode(d, 1).T, gold)
            if name == "held out":
                languages = np.array([pair["language"] for pair in unseen])
                line += "".join(f" {one} {reciprocal[languages == one].mean():.3f}" for one in SPOKEN)
            lines.append(f"  {name}: {line}")
        print("\n".join(lines), flush=True)

    report("at the start", model)
    JOB.update(model=model, arguments=(pairs, taught, read_pooled(question_states), report))
    with multiprocessing.get_context("fork").Pool(len(MEMBERS)) as pool:
        members, seconds = zip(*pool.map(train_member, MEMBERS, chunksize=1))
    model = mean_of(members)
    report("mean", model)
    save(model, vocabulary, out)
    report("mean, in four bits", as_served(model, vocabulary))
    print(f"{(time.process_time() - used + sum(seconds)) / 60:.1f} minutes of CPU time")


JOB = {}


def train_member(member):
    trained = train(copy.deepcopy(JOB["model"]), *JOB["arguments"], member)
    return trained, time.process_time()


if __name__ == "__main__":
    {"questions": questions, "table": table}[sys.argv[1]](*sys.argv[2:])
