"""Trains the linear map from an encoder's token states to the space in which tokens are compared.

usage: train.py PAIRS.jsonl STATES.bin OUT.safetensors

STATES.bin comes from `cargo run -p whyrank-inference --example token_states`, over all queries and then
all documents of PAIRS.jsonl. Packages named in ../pairs/held-out.txt are left out of training; figures are theirs.
numpy alone: gradients of the two-sided InfoNCE over MaxSim are written out below.
"""

import json
import pathlib
import struct
import sys

import numpy as np

DIM = 128
EPOCHS = 5
BATCH = 96
SCALE = 20.0
RATE = 1.5e-3
MAX_TRAIN = 5000


def read_states(path):
    data = path.read_bytes()
    at, texts = 0, []
    while at < len(data):
        n, dim = struct.unpack_from("<II", data, at)
        at += 8
        pooled = np.frombuffer(data, "<f4", dim, at)
        at += 4 * dim
        row = np.dtype([("id", "<u4"), ("start", "<u4"), ("end", "<u4"), ("state", "<f2", (dim,))])
        texts.append((pooled, np.frombuffer(data, row, n, at)))
        at += row.itemsize * n
    return texts


def says_something(text, tokens):
    raw = text.encode()
    spans = zip(tokens["start"], tokens["end"])
    return np.array([any(c.isalnum() for c in raw[s:e].decode(errors="ignore")) for s, e in spans], bool)


def kept_states(text, tokens):
    kept = tokens["state"][says_something(text, tokens)]
    return kept if len(kept) else tokens["state"][:1]


def load(pairs_path, states_path):
    pairs = [json.loads(line) for line in open(pairs_path, encoding="utf-8")]
    states = read_states(pathlib.Path(states_path))
    assert len(states) == 2 * len(pairs), "states of another list of pairs"
    queries, documents = states[: len(pairs)], states[len(pairs) :]
    for pair, (q_pooled, q), (d_pooled, d) in zip(pairs, queries, documents):
        pair["q"], pair["d"] = kept_states(pair["query"], q), kept_states(pair["document"], d)
        pair["q_pooled"], pair["d_pooled"] = q_pooled, d_pooled
    return pairs


def unit(rows):
    norms = np.sqrt((rows * rows).sum(1, keepdims=True)) + 1e-9
    return rows / norms, norms


def principal(pairs):
    """The first DIM principal directions of the states' unit vectors, not centred."""
    rows = np.concatenate([unit(pair[side].astype(np.float32))[0] for pair in pairs[:1500] for side in "qd"])
    _, vectors = np.linalg.eigh(rows.T @ rows)
    return np.ascontiguousarray(vectors[:, ::-1][:, :DIM]).astype(np.float32)


class Side:
    """The token vectors of one side of a batch, and the way back to the head."""

    def __init__(self, states, head):
        self.bounds = np.cumsum([0] + [len(state) for state in states])
        self.rows = np.concatenate(states).astype(np.float32)
        self.unit, self.norms = unit(self.rows @ head)

    def gradient(self, at_unit):
        inward = (at_unit * self.unit).sum(1, keepdims=True)
        return self.rows.T @ ((at_unit - self.unit * inward) / self.norms)


def step(batch, head):
    """Loss and gradient of -log softmax over the batch, from queries to documents and back."""
    q, d = Side([pair["q"] for pair in batch], head), Side([pair["d"] for pair in batch], head)
    products = q.unit @ d.unit.T
    n = len(batch)
    best = np.empty((len(q.unit), n), np.int64)
    peak = np.empty((len(q.unit), n), np.float32)
    for j in range(n):
        columns = products[:, d.bounds[j] : d.bounds[j + 1]]
        best[:, j] = columns.argmax(1)
        peak[:, j] = np.take_along_axis(columns, best[:, j : j + 1], 1)[:, 0]
        best[:, j] += d.bounds[j]
    lengths = np.diff(q.bounds).astype(np.float32)[:, None]
    scores = SCALE * np.add.reduceat(peak, q.bounds[:-1], 0) / lengths
    rows, columns = softmax(scores), softmax(scores.T).T
    loss = -np.log(np.diag(rows) + 1e-12).mean() / 2 - np.log(np.diag(columns) + 1e-12).mean() / 2
    at_scores = (rows + columns - 2 * np.eye(n, dtype=np.float32)) / (2 * n)
    at_peaks = np.repeat(SCALE * at_scores / lengths, np.diff(q.bounds), 0)
    at_products = np.zeros_like(products)
    np.put_along_axis(at_products, best, at_peaks, 1)
    gradient = q.gradient(at_products @ d.unit) + d.gradient(at_products.T @ q.unit)
    return loss, gradient


def softmax(scores):
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


def train(pairs, head, report):
    random = np.random.default_rng(7)
    mean, square, n_steps = np.zeros_like(head), np.zeros_like(head), 0
    total = EPOCHS * (len(pairs) // BATCH)
    for epoch in range(EPOCHS):
        losses = []
        for chosen in batches(pairs, random):
            loss, gradient = step([pairs[i] for i in chosen], head)
            n_steps += 1
            mean = 0.9 * mean + 0.1 * gradient
            square = 0.999 * square + 0.001 * gradient**2
            rate = RATE * 0.5 * (1 + np.cos(np.pi * n_steps / total))
            head = head - rate * (mean / (1 - 0.9**n_steps)) / (np.sqrt(square / (1 - 0.999**n_steps)) + 1e-8)
            losses.append(loss)
        report(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}", head)
    return head


def batches(pairs, random):
    """Half of each batch comes from one language: its neighbours are the harder negatives."""
    order = random.permutation(len(pairs))
    by_language = sorted(order, key=lambda i: pairs[i]["language"])
    halves = [by_language[i : i + BATCH // 2] for i in range(0, len(order) - BATCH // 2, BATCH // 2)]
    random.shuffle(halves)
    return [np.concatenate(two) for two in zip(halves[::2], halves[1::2])]


def max_sim(pairs, head):
    """Scores of every query for every document."""
    documents = Side([pair["d"] for pair in pairs], head)
    scores = []
    for pair in pairs:
        products = unit(pair["q"].astype(np.float32) @ head)[0] @ documents.unit.T
        scores.append(np.maximum.reduceat(products, documents.bounds[:-1], 1).mean(0))
    return np.array(scores)


def figures(scores):
    ranks = (scores > np.diag(scores)[:, None]).sum(1) + 1
    reciprocal = np.where(ranks <= 10, 1 / ranks, 0).mean()
    return f"MRR@10 {reciprocal:.3f}  R@1 {(ranks == 1).mean():.3f}  R@10 {(ranks <= 10).mean():.3f}"


def standard(scores):
    return (scores - scores.mean(1, keepdims=True)) / scores.std(1, keepdims=True)


def save(head, path):
    """safetensors: `linear.weight`, [DIM, n_in], as ColBERT checkpoints have it."""
    weight = np.ascontiguousarray(head.T.astype("<f4"))
    header = json.dumps({"linear.weight": {"dtype": "F32", "shape": list(weight.shape), "data_offsets": [0, weight.nbytes]}})
    header = header.encode()
    header += b" " * (-len(header) % 8)
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(header)) + header + weight.tobytes())


def main(pairs_path, states_path, out):
    pairs = load(pairs_path, states_path)
    held_out = set((pathlib.Path(__file__).parent.parent / "pairs" / "held-out.txt").read_text().split())
    seen = [pair for pair in pairs if pair["package"] not in held_out][:MAX_TRAIN]
    unseen = [pair for pair in pairs if pair["package"] in held_out]
    print(f"{len(seen)} pairs to train on, {len(unseen)} held out")
    dense = np.array([pair["q_pooled"] for pair in unseen]) @ np.array([pair["d_pooled"] for pair in unseen]).T
    print("dense                 ", figures(dense))
    print("raw states            ", figures(max_sim(unseen, np.eye(seen[0]["q"].shape[1], dtype=np.float32))))

    def report(title, head):
        scores = max_sim(unseen, head)
        blend = figures(standard(scores) + standard(dense))
        print(f"{title:22s} {figures(scores)}   with dense: {blend}", flush=True)

    head = principal(seen)
    report("principal components", head)
    save(train(seen, head, report), out)


if __name__ == "__main__":
    main(*sys.argv[1:])
