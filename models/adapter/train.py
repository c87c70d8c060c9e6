"""Trains a low-rank change of MiniLM's attention for doc comments and the code they stand over.

usage: train.py MODEL_FOLDER PAIRS.jsonl OUT.safetensors [SHARE]

MODEL_FOLDER has model.safetensors and tokenizer.json; PAIRS.jsonl comes from ../token-head/pairs.py.
Packages of ../token-head/held-out.txt are left out of training; the figures printed are theirs. SHARE
is the part of the change that is written (README: why not all). Needs torch, tokenizers, safetensors;
bfloat16 where the processor multiplies in it.
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

RANK, EPOCHS, BATCH, SCALE, RATE = 8, 2, 96, 20.0, 5e-4
DIM, HEADS, LAYERS, SEP = 384, 12, 6, 102
PARTS = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")


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
    def __init__(self, weights, name, rank):
        super().__init__()
        self.weight, self.bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        n_out, n_in = self.weight.shape
        self.a = nn.Parameter(torch.randn(rank, n_in) / math.sqrt(n_in)) if rank else None
        self.b = nn.Parameter(torch.zeros(n_out, rank)) if rank else None

    def forward(self, x):
        weight = self.weight if self.a is None else self.weight + self.b @ self.a
        return F.linear(x, weight, self.bias)


class Layer(nn.Module):
    def __init__(self, weights, idx):
        super().__init__()
        name = f"encoder.layer.{idx}."
        self.parts = nn.ModuleList(Changed(weights, name + part, RANK) for part in PARTS)
        self.up = Changed(weights, name + "intermediate.dense", 0)
        self.down = Changed(weights, name + "output.dense", 0)
        norm = lambda part: (weights[f"{name}{part}.weight"], weights[f"{name}{part}.bias"])
        self.norms = norm("attention.output.LayerNorm"), norm("output.LayerNorm")

    def forward(self, x, mask):
        n, length, _ = x.shape
        query, key, value, out = self.parts
        heads = lambda y: y.view(n, length, HEADS, DIM // HEADS).transpose(1, 2)
        seen = F.scaled_dot_product_attention(heads(query(x)), heads(key(x)), heads(value(x)), attn_mask=mask)
        x = F.layer_norm(x + out(seen.transpose(1, 2).reshape(n, length, DIM)), (DIM,), *self.norms[0], eps=1e-12)
        return F.layer_norm(x + self.down(F.gelu(self.up(x))), (DIM,), *self.norms[1], eps=1e-12)


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
        with torch.autocast("cpu", torch.bfloat16):
            x, hidden = x.to(torch.bfloat16), ((1 - mask) * -1e4)[:, None, None, :].to(torch.bfloat16)
            for layer in self.layers:
                x = layer(x, hidden).to(torch.bfloat16)
        x = x.float()
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


def batches(pairs):
    """Half of them over everything, half over four packages at a time."""
    of_package = {}
    for at, pair in enumerate(pairs):
        of_package.setdefault(pair["package"], []).append(at)
    everything = random.sample(range(len(pairs)), len(pairs))
    found = [everything[at : at + BATCH] for at in range(0, len(pairs) // 2, BATCH)]
    names = random.sample(list(of_package), len(of_package))
    for first in range(0, len(names), 4):
        near = [at for name in names[first : first + 4] for at in of_package[name]]
        random.shuffle(near)
        found += [near[at : at + BATCH] for at in range(0, len(near) // 2, BATCH)]
    random.shuffle(found)
    return [batch for batch in found if len(batch) >= BATCH // 2]


def main():
    folder, pairs_path, out = map(pathlib.Path, sys.argv[1:4])
    share = float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
    random.seed(0)
    torch.manual_seed(0)
    weights = {name.removeprefix("bert."): w.float() for name, w in load_file(folder / "model.safetensors").items()}
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    held_out = (pathlib.Path(__file__).parent.parent / "token-head" / "held-out.txt").read_text().split()
    pairs = [json.loads(line) for line in open(pairs_path, encoding="utf-8")]
    is_unseen = lambda pair: pair["package"] in held_out
    train, unseen = [p for p in pairs if not is_unseen(p)], [p for p in pairs if is_unseen(p)]
    random.shuffle(train)
    encode = lambda part, key, most: token_ids(tokenizer, [pair[key] for pair in part], most)
    queries, documents = encode(train, "query", 64), encode(train, "document", 192)
    unseen_texts = encode(unseen, "query", 64), encode(unseen, "document", 192)

    encoder = Encoder(weights)
    print(len(train), "pairs;", len(unseen), "held out:", figures(encoder, *unseen_texts))
    optimiser = torch.optim.AdamW(encoder.parameters(), lr=RATE, weight_decay=0.01)
    rounds = [batch for _ in range(EPOCHS) for batch in batches(train)]
    for step, batch in enumerate(rounds):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, step / 20) * (1 - step / len(rounds))
        size = max(1, len(batch) // 4)
        left = encoder.of_all([queries[at] for at in batch], size)
        right = encoder.of_all([documents[at] for at in batch], size)
        scores, right_ones = SCALE * left @ right.T, torch.arange(len(batch))
        loss = (F.cross_entropy(scores, right_ones) + F.cross_entropy(scores.T, right_ones)) / 2
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    print("trained:", figures(encoder, *unseen_texts))
    change = {}
    for idx, layer in enumerate(encoder.layers):
        for part, changed in zip(PARTS, layer.parts):
            changed.b.data *= share
            name = f"encoder.layer.{idx}.{part}"
            change[f"{name}.lora_A"] = changed.a.data.half().contiguous()
            change[f"{name}.lora_B"] = changed.b.data.half().contiguous()
    print(f"{share} of it:", figures(encoder, *unseen_texts))
    save_file(change, out)


if __name__ == "__main__":
    main()
