"""Trains a cross-encoder: MiniLM that reads a query and a definition together.

usage: train.py BUNDLE.pt OUT.safetensors [MINUTES]

The bundle comes from ../pairs/bundle.py. Needs PyTorch and nothing else, no network; with a graphics card
25 minutes, without one as many as there are (default 25; 0.2 for a look whether it runs). Six blocks are
changed by low rank where there is a card, the upper three on a processor. Figures are of the packages and
repositories held out: the ten best of a first stage (BM25 and the trunk's own cosine, standard scores added)
among all held-out documents of their kind, and the order of these ten with what the cross-encoder says.
"""

import json
import math
import pathlib
import random
import struct
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

RANK, RATE, GROUP, N_BESIDE = 16, 8e-4, 12, 5
DIM, HEADS, LAYERS, CLS, SEP = 384, 12, 6, 101, 102
MAX_QUERY, MAX_TOKENS = 32, 96
N_BEST = 10
COSINE, MATCH = 20.0, 5.0
PARTS = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
         "intermediate.dense", "output.dense")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
FIRST_CHANGED, N_FIGURES = (0, 400) if DEVICE == "cuda" else (3, 100)


class Changed(nn.Module):
    """A dense layer and its change of low rank."""

    def __init__(self, weights, name):
        super().__init__()
        self.weight, self.bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        n_out, n_in = self.weight.shape
        self.a = nn.Parameter(torch.randn(RANK, n_in, device=DEVICE) / math.sqrt(n_in))
        self.b = nn.Parameter(torch.zeros(n_out, RANK, device=DEVICE))

    def forward(self, x):
        if not self.a.requires_grad:
            return F.linear(x, self.weight, self.bias)
        return F.linear(x, self.weight, self.bias) + F.linear(F.linear(x, self.a), self.b)


class Layer(nn.Module):
    def __init__(self, weights, idx):
        super().__init__()
        name = f"encoder.layer.{idx}."
        self.parts = nn.ModuleList(Changed(weights, name + part) for part in PARTS)
        norm = lambda part: (weights[f"{name}{part}.weight"], weights[f"{name}{part}.bias"])
        self.norms = norm("attention.output.LayerNorm"), norm("output.LayerNorm")
        self.requires_grad_(idx >= FIRST_CHANGED)

    def forward(self, x, mask):
        n, length, _ = x.shape
        query, key, value, out, up, down = self.parts
        heads = lambda y: y.view(n, length, HEADS, DIM // HEADS).transpose(1, 2)
        seen = F.scaled_dot_product_attention(heads(query(x)), heads(key(x)), heads(value(x)), attn_mask=mask)
        x = F.layer_norm(x + out(seen.transpose(1, 2).reshape(n, length, DIM)), (DIM,), *self.norms[0], eps=1e-12)
        return F.layer_norm(x + down(F.gelu(up(x))), (DIM,), *self.norms[1], eps=1e-12)


class CrossEncoder(nn.Module):
    """Score of `[CLS] query [SEP] document [SEP]`: a weighted product of the two means, and the mean over the query's tokens of the best cosine."""

    def __init__(self, weights):
        super().__init__()
        self.weights = weights
        self.layers = nn.ModuleList(Layer(weights, idx) for idx in range(LAYERS))
        self.cosine = nn.Parameter(torch.full((DIM,), COSINE, device=DEVICE))
        self.match = nn.Parameter(torch.full((1,), MATCH, device=DEVICE))

    def states(self, ids, mask):
        of = lambda name: self.weights[f"embeddings.{name}"]
        x = of("word_embeddings.weight")[ids] + of("position_embeddings.weight")[: ids.shape[1]] + of("token_type_embeddings.weight")[0]
        x = F.layer_norm(x, (DIM,), of("LayerNorm.weight"), of("LayerNorm.bias"), eps=1e-12)
        hidden = ((1 - mask) * -1e4)[:, None, None, :].to(x.dtype)
        for layer in self.layers:
            x = layer(x, hidden)
        return x

    def vectors(self, texts):
        """What the trunk as it came makes of single texts."""
        ids, mask = padded([[CLS, *text, SEP] for text in texts])
        return F.normalize((self.states(ids, mask) * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=1)

    def forward(self, pairs):
        texts = [(query[:MAX_QUERY], document) for query, document in pairs]
        texts = [[[CLS, *query, SEP], [*document[: MAX_TOKENS - len(query) - 3], SEP]] for query, document in texts]
        ids, mask = padded([query + document for query, document in texts])
        ends = torch.tensor([len(query) for query, _ in texts], device=DEVICE)[:, None]
        at = torch.arange(ids.shape[1], device=DEVICE)[None]
        left, right = ((at < ends) * mask), ((at >= ends) * mask)
        x = self.states(ids, mask).float()
        mean = lambda part: F.normalize((x * part[..., None]).sum(1) / part.sum(1, keepdim=True), dim=1)
        unit = F.normalize(x, dim=2)
        near = (unit @ unit.transpose(1, 2)).masked_fill(right[:, None, :] == 0, -1.0).amax(2)
        match = (near * left).sum(1) / left.sum(1)
        return (mean(left) * mean(right)) @ self.cosine + self.match * match

    def of_all(self, pairs, size):
        """Scores, pairs of like length together."""
        order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]) + len(pairs[at][1]))
        parts = [order[at : at + size] for at in range(0, len(order), size)]
        scores = torch.cat([self([pairs[at] for at in part]) for part in parts])
        back = torch.empty(len(order), dtype=torch.long, device=DEVICE)
        back[torch.tensor(order, device=DEVICE)] = torch.arange(len(order), device=DEVICE)
        return scores[back]


def padded(texts):
    length = max(map(len, texts))
    ids, mask = torch.zeros(len(texts), length, dtype=torch.long), torch.zeros(len(texts), length)
    for row, text in enumerate(texts):
        ids[row, : len(text)], mask[row, : len(text)] = torch.tensor(text), 1
    return ids.to(DEVICE), mask.to(DEVICE)


class Bundle:
    def __init__(self, path):
        self.data = torch.load(path, weights_only=True)
        self.weights = {name: w.float().to(DEVICE) for name, w in self.data.pop("trunk").items()}
        self.texts = {part: (self.data[f"{part}_ids"].int(), self.data[f"{part}_ends"].tolist()) for part in ("query", "document")}
        self.train = (~self.data["held_out"]).nonzero().flatten().tolist()
        self.held_out = self.data["held_out"].nonzero().flatten().tolist()

    def text(self, part, idx):
        ids, ends = self.texts[part]
        return ids[ends[idx] : ends[idx + 1]].tolist()

    def of(self, row, column):
        return [idx for idx in self.data[column][row].tolist() if idx >= 0]

    def query(self, row):
        return self.text("query", int(self.data["query"][row]))


def group(bundle, row):
    """The query with one answer and what stands beside it; the answer is the first."""
    query, answers, near = bundle.query(row), bundle.of(row, "answers"), bundle.of(row, "beside")
    if len(query) > 6 and random.random() < 0.15:
        query = [token for token in query if random.random() > 0.2]
    near = random.sample(near, min(len(near), N_BESIDE))
    near += [random.choice(bundle.of(random.choice(bundle.train), "answers")) for _ in range(N_BESIDE - len(near))]
    return [(query, bundle.text("document", idx)) for idx in [random.choice(answers), *near]]


def lexical(queries, documents):
    """BM25 of all queries over all documents."""
    counts = torch.zeros(len(documents), 30522)
    for at, document in enumerate(documents):
        counts[at].scatter_add_(0, torch.tensor(document), torch.ones(len(document)))
    length = counts.sum(1, keepdim=True)
    rarity = torch.log(1 + len(documents) / ((counts > 0).sum(0) + 0.5))
    weights = rarity * counts * 2.2 / (counts + 1.2 * (0.25 + 0.75 * length / length.mean()))
    return torch.stack([weights[:, sorted(set(query))].sum(1) for query in queries])


def standard(scores):
    return (scores - scores.mean(1, keepdim=True)) / scores.std(1, keepdim=True)


class Figures:
    """The ten best of the first stage for queries held out, of each kind."""

    def __init__(self, bundle, encoder):
        self.lists = {}
        for kind, name in enumerate(("comment", "change", "topic")):
            rows = [row for row in bundle.held_out if bundle.data["kind"][row] == kind][:N_FIGURES]
            if len(rows) < 20:
                continue
            documents = sorted({idx for row in rows for idx in bundle.of(row, "answers")} | {idx for row in rows for idx in bundle.of(row, "beside")[:4]})
            queries, texts = [bundle.query(row) for row in rows], [bundle.text("document", idx) for idx in documents]
            with torch.no_grad():
                of = lambda texts: torch.cat([encoder.vectors(texts[at : at + 64]) for at in range(0, len(texts), 64)]).cpu()
                first = standard(of(queries) @ of(texts).T) + standard(lexical(queries, texts))
            best = first.topk(N_BEST, dim=1)
            right = [{documents.index(idx) for idx in bundle.of(row, "answers")} for row in rows]
            pairs = [(query, texts[at]) for query, row in zip(queries, best.indices.tolist()) for at in row]
            hits = torch.tensor([[at in answers for at in row] for row, answers in zip(best.indices.tolist(), right)])
            self.lists[name] = (pairs, best.values, hits)

    def tell(self, encoder):
        for name, (pairs, first, hits) in self.lists.items():
            with torch.no_grad():
                scores = encoder.of_all(pairs, 40).cpu().view(-1, N_BEST)
            said = [f"{share:.2f}: {mrr(first + share * scores, hits):.4f}" for share in (0.0, 0.05, 0.1, 0.2, 0.4, 0.8)]
            print(f"  {name} ({len(hits)} queries, {hits.any(1).float().mean():.3f} in the ten): alone {mrr(scores, hits):.4f}; beside the first stage " + ", ".join(said), flush=True)


def mrr(scores, hits):
    order = scores.argsort(1, descending=True)
    at = hits.gather(1, order).float()
    return (at / torch.arange(1, N_BEST + 1)).amax(1).mean().item()


def write(encoder, out):
    """A safetensors file: the change of each layer, and the head."""
    tensors = {"score.cosine": encoder.cosine.data, "score.match": encoder.match.data}
    for idx, layer in enumerate(encoder.layers[FIRST_CHANGED:], FIRST_CHANGED):
        for part, changed in zip(PARTS, layer.parts):
            tensors[f"encoder.layer.{idx}.{part}.lora_A"] = changed.a.data
            tensors[f"encoder.layer.{idx}.{part}.lora_B"] = changed.b.data
    blobs = {name: bytes(tensor.half().cpu().contiguous().flatten().view(torch.uint8).tolist()) for name, tensor in tensors.items()}
    head, at = {}, 0
    for name, blob in blobs.items():
        head[name] = {"dtype": "F16", "shape": list(tensors[name].shape), "data_offsets": [at, at + len(blob)]}
        at += len(blob)
    head = json.dumps(head).encode()
    head += b" " * (-len(head) % 8)
    pathlib.Path(out).write_bytes(struct.pack("<Q", len(head)) + head + b"".join(blobs.values()))


def main():
    path, out = sys.argv[1:3]
    seconds = 60 * float(sys.argv[3] if len(sys.argv) > 3 else 25)
    random.seed(0)
    torch.manual_seed(0)
    bundle = Bundle(path)
    encoder = CrossEncoder(bundle.weights)
    figures = Figures(bundle, encoder)
    print(len(bundle.train), "queries;", len(bundle.held_out), "held out", flush=True)
    heads = [encoder.cosine, encoder.match]
    changes = [p for p in encoder.layers.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW([{"params": changes, "rate": RATE}, {"params": heads, "rate": 20 * RATE, "weight_decay": 0.0}], weight_decay=0.01)
    size, micro = (GROUP, 24) if DEVICE == "cpu" else (128, 768)
    started, step, order, losses = time.time(), 0, [], []
    while (done := (time.time() - started) / seconds) < 1:
        for of in optimiser.param_groups:
            of["lr"] = of["rate"] * min(1, (step + 1) / 30) * max(0.02, 1 - done)
        if len(order) < size:
            order = random.sample(bundle.train, len(bundle.train))
        batch, order = order[:size], order[size:]
        pairs = [pair for row in batch for pair in group(bundle, row)]
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            scores = encoder.of_all(pairs, micro).view(-1, 1 + N_BESIDE)
        loss = F.cross_entropy(scores.float(), torch.zeros(len(scores), dtype=torch.long, device=DEVICE))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimiser.step()
        step += 1
        losses = [*losses[-49:], loss.item()]
        if step % 50 == 0:
            print(f"step {step}, {100 * done:.0f}%: loss {sum(losses) / len(losses):.3f}", flush=True)
        if step % 100 == 0:
            write(encoder, out)
    print(f"after {step} steps of {size} queries:")
    figures.tell(encoder)
    write(encoder, out)


if __name__ == "__main__":
    main()
