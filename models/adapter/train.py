"""Trains a low-rank change of MiniLM for doc comments and the code they stand over.

usage: train.py MODEL_FOLDER PAIRS.jsonl OUT.safetensors [SHARE]

MODEL_FOLDER has model.safetensors and tokenizer.json; PAIRS.jsonl comes from ../pairs/pairs.py. Packages
of ../pairs/held-out.txt are left out of training; the figures printed are theirs. SHARE is the part of
the change that is written (README: why not all). Needs torch, tokenizers, safetensors.
"""

import json
import math
import pathlib
import random
import sys

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import nn

RANK, STEPS, BATCH, SCALE, RATE = 16, 450, 96, 20.0, 4e-4
DIM, HEADS, LAYERS, SEP = 384, 12, 6, 102
MAX_QUERY, MAX_DOCUMENT = 48, 96
PARTS = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
         "intermediate.dense", "output.dense")
SMALL_WORDS = set("a an the of to for in on is are be this that it its with by from as and or if into at which".split())
SPOKEN = {"py": "python", "js": "javascript", "go": "golang", "rust": "rust", "java": "java", "c": "c"}


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


def token_ids(tokenizer, texts, most):
    encodings = tokenizer.encode_batch([cut(text) for text in texts])
    return [e.ids if len(e.ids) <= most else [*e.ids[: most - 1], SEP] for e in encodings]


class Changed(nn.Module):
    """A dense layer and its change, which is not added to the weight: its gradient would be the whole weight's."""

    def __init__(self, weights, name):
        super().__init__()
        self.weight, self.bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        n_out, n_in = self.weight.shape
        self.a = nn.Parameter(torch.randn(RANK, n_in) / math.sqrt(n_in))
        self.b = nn.Parameter(torch.zeros(n_out, RANK))

    def forward(self, x):
        return F.linear(x, self.weight, self.bias) + F.linear(F.linear(x, self.a), self.b)


class Layer(nn.Module):
    def __init__(self, weights, idx):
        super().__init__()
        name = f"encoder.layer.{idx}."
        self.parts = nn.ModuleList(Changed(weights, name + part) for part in PARTS)
        norm = lambda part: (weights[f"{name}{part}.weight"], weights[f"{name}{part}.bias"])
        self.norms = norm("attention.output.LayerNorm"), norm("output.LayerNorm")

    def forward(self, x, mask):
        n, length, _ = x.shape
        query, key, value, out, up, down = self.parts
        heads = lambda y: y.view(n, length, HEADS, DIM // HEADS).transpose(1, 2)
        seen = F.scaled_dot_product_attention(heads(query(x)), heads(key(x)), heads(value(x)), attn_mask=mask)
        x = F.layer_norm(x + out(seen.transpose(1, 2).reshape(n, length, DIM)), (DIM,), *self.norms[0], eps=1e-12)
        return F.layer_norm(x + down(F.gelu(up(x))), (DIM,), *self.norms[1], eps=1e-12)


class Encoder(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.weights = weights
        self.layers = nn.ModuleList(Layer(weights, idx) for idx in range(LAYERS))

    def forward(self, batch):
        length = max(map(len, batch))
        ids, mask = torch.zeros(len(batch), length, dtype=torch.long), torch.zeros(len(batch), length)
        for row, text in enumerate(batch):
            ids[row, : len(text)], mask[row, : len(text)] = torch.tensor(text), 1
        of = lambda name: self.weights[f"embeddings.{name}"]
        x = of("word_embeddings.weight")[ids] + of("position_embeddings.weight")[:length]
        x = x + of("token_type_embeddings.weight")[0]
        x = F.layer_norm(x, (DIM,), of("LayerNorm.weight"), of("LayerNorm.bias"), eps=1e-12)
        hidden = ((1 - mask) * -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, hidden)
        return F.normalize((x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=1)

    def of_all(self, texts, size):
        """Vectors of texts, those of like length together."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        parts = [order[at : at + size] for at in range(0, len(order), size)]
        vectors = torch.cat([self([texts[at] for at in part]) for part in parts])
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return vectors[back]


def figures(encoder, queries, documents):
    with torch.no_grad():
        scores = encoder.of_all(queries, 64) @ encoder.of_all(documents, 64).T
    ranks = (scores > scores.diag()[:, None]).sum(1) + 1
    mrr = torch.where(ranks <= 10, 1 / ranks, 0.0).mean()
    return f"MRR@10 {mrr:.4f} R@1 {(ranks == 1).float().mean():.4f} R@10 {(ranks <= 10).float().mean():.4f}"


def asked(pair):
    """The query, three times in ten as people type: without small words, or "how to", and the language's name."""
    query, dice = pair["query"], random.random()
    if dice < 0.2:
        query = " ".join(word for word in query.lower().split() if word not in SMALL_WORDS) or query
    elif dice < 0.3:
        query = ("how to " if random.random() < 0.5 else "") + query[0].lower() + query[1:]
    if dice < 0.3 and random.random() < 0.4:
        spoken = SPOKEN[pair["language"]]
        query = f"{spoken} {query}" if random.random() < 0.6 else f"{query} in {spoken}"
    return query


def shown(pair):
    """The definition, at times under the rest of its comment, at times without the line of its name."""
    text = pair["commented"] if "commented" in pair and random.random() < 0.4 else pair["document"]
    return text.split("\n", 1)[1] if random.random() < 0.15 else text


class Batches:
    """One half over everything, one half over a few packages of a language, so that neighbours are told apart."""

    def __init__(self, pairs):
        self.pairs, self.order = pairs, []
        self.of_package, self.packages = {}, {}
        for at, pair in enumerate(pairs):
            self.of_package.setdefault(pair["package"], []).append(at)
        for name, of in self.of_package.items():
            self.packages.setdefault(pairs[of[0]]["language"], []).append(name)

    def next(self):
        return self.everything() if random.random() < 0.5 else self.near()

    def everything(self):
        if len(self.order) < BATCH:
            self.order = random.sample(range(len(self.pairs)), len(self.pairs))
        batch, self.order = self.order[:BATCH], self.order[BATCH:]
        return batch

    def near(self):
        sizes = [sum(len(self.of_package[name]) for name in names) for names in self.packages.values()]
        [names] = random.choices(list(self.packages.values()), sizes)
        batch = []
        for name in random.sample(names, len(names)):
            of = self.of_package[name]
            batch += random.sample(of, min(len(of), 32))
            if len(batch) >= BATCH:
                break
        return batch[:BATCH]


def main():
    folder, pairs_path, out = map(pathlib.Path, sys.argv[1:4])
    share = float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
    random.seed(0)
    torch.manual_seed(0)
    weights = {name.removeprefix("bert."): w.float() for name, w in load_file(folder / "model.safetensors").items()}
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    held_out = (pathlib.Path(__file__).parent.parent / "pairs" / "held-out.txt").read_text().split()
    pairs = [json.loads(line) for line in open(pairs_path, encoding="utf-8")]
    train = [pair for pair in pairs if pair["package"] not in held_out]
    unseen = [pair for pair in pairs if pair["package"] in held_out]
    random.shuffle(train)
    ids = lambda texts, most: token_ids(tokenizer, texts, most)
    unseen_ids = ids([p["query"] for p in unseen], MAX_QUERY), ids([p["document"] for p in unseen], 160)

    encoder, batches = Encoder(weights), Batches(train)
    print(len(train), "pairs;", len(unseen), "held out:", figures(encoder, *unseen_ids))
    optimiser = torch.optim.AdamW(encoder.parameters(), lr=RATE, weight_decay=0.01)
    for step in range(STEPS):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 30) * max(0.02, 1 - step / STEPS)
        batch = [train[at] for at in batches.next()]
        left = encoder.of_all(ids([asked(pair) for pair in batch], MAX_QUERY), 48)
        right = encoder.of_all(ids([shown(pair) for pair in batch], MAX_DOCUMENT), 16)
        scores, right_ones = SCALE * left @ right.T, torch.arange(len(batch))
        loss = (F.cross_entropy(scores, right_ones) + F.cross_entropy(scores.T, right_ones)) / 2
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 50 == 49:
            print(f"step {step + 1}: loss {loss.item():.3f}", flush=True)
    print("trained:", figures(encoder, *unseen_ids))
    change = {}
    for idx, layer in enumerate(encoder.layers):
        for part, changed in zip(PARTS, layer.parts):
            changed.b.data *= share
            name = f"encoder.layer.{idx}.{part}"
            change[f"{name}.lora_A"] = changed.a.data.half().contiguous()
            change[f"{name}.lora_B"] = changed.b.data.half().contiguous()
    print(f"{share} of it:", figures(encoder, *unseen_ids))
    save_file(change, out)


if __name__ == "__main__":
    main()
