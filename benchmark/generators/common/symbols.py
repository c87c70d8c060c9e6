"""Symbol-search tasks (needle, ranking, expansion) by rule from the oracles' facts."""
import collections
import random
import re

from sample import outside_uses, places

WANTED = {"needle": 3, "ranking": 2, "expansion": 2}
FINDABLE = {"function", "method", "class", "struct", "interface", "type", "trait", "enum"}
TOP_K = {"needle": 10, "ranking": 3, "expansion": 10}


def split(name):
    """The words of a name in camel, Pascal or snake case."""
    return [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def unique(p):
    return [d for d in p.defs if d["kind"] in FINDABLE and p.names[d["name"]] == 1 and not d["nested"]]


def needles(p):
    """Three or more words; the query leaves none out, or the last one where that stays unique."""
    vocabulary = {n: split(n) for n in p.names}
    for d in unique(p):
        words = split(d["name"])
        if len(words) < 3 or min(map(len, words)) < 2:
            continue
        short = words[:-1]
        alone = sum(set(short) <= set(v) for v in vocabulary.values()) == 1
        query = " ".join(short if alone and len(short) > 2 else words)
        yield query, [d["name"]], d, "words of the name" if query == " ".join(words) else "first words of the name"


def rankings(p):
    """A word shared by four or more symbols; the expected one has twice the uses of any other."""
    by_word = collections.defaultdict(dict)
    for d in p.defs:
        if d["kind"] in FINDABLE and not d["nested"]:
            for w in set(split(d["name"])):
                best = by_word[w].setdefault(d["name"], (0, d))
                by_word[w][d["name"]] = max(best, (len(outside_uses(d)), d), key=lambda b: b[0])
    for word, found in sorted(by_word.items()):
        order = sorted(found.values(), key=lambda b: -b[0])
        if len(word) < 4 or len(order) < 4 or order[0][1].get("doubt"):
            continue
        if order[0][0] >= 6 and order[0][0] >= 2 * order[1][0] and p.names[order[0][1]["name"]] == 1:
            d = order[0][1]
            yield word, [d["name"]], d, f"the most used of {len(order)} symbols with this word"


def edges(p):
    """Names that call each other directly, tests left out."""
    graph = collections.defaultdict(set)
    for d in p.defs:
        if d["kind"] not in ("function", "method", "class", "struct"):
            continue
        for file, line in places(d, "call"):
            around = p.enclosing(file, line)
            named = around and around["name"] and not around.get("in_tests")
            if named and not p.is_test(file) and around["name"] != d["name"]:
                graph[around["name"]].add(d["name"])
                graph[d["name"]].add(around["name"])
    return graph


def expansions(p):
    graph = edges(p)
    for d in unique(p):
        near = graph.get(d["name"], set())
        ready = not d.get("doubt") and d["kind"] in ("function", "method")
        if ready and 3 <= len(near) <= 8 and all(p.names[n] == 1 for n in near):
            yield d["name"], sorted(near), d, "direct callers and callees"


RULES = {"needle": needles, "ranking": rankings, "expansion": expansions}


def language_symbols(packages, seed):
    language = packages[0].meta["language"]
    out = []
    for kind, wanted in WANTED.items():
        rng = random.Random(f"{seed} {language} {kind}")
        pools = [(p, list(RULES[kind](p))) for p in packages]
        rng.shuffle(pools)
        for _, pool in pools:
            rng.shuffle(pool)
        out += pick(kind, [x for x in pools if x[1]], wanted)
    return out


def pick(kind, pools, wanted):
    chosen, at = [], 0
    while len(chosen) < wanted and any(pool for _, pool in pools):
        p, pool = pools[at % len(pools)]
        at += 1
        if pool:
            chosen.append(entry(kind, p, *pool.pop()))
    return chosen


def entry(kind, p, query, expected, d, why):
    return {"id": f"{p.name}-{kind}-{query.replace(' ', '-')}", "repo": p.name, "type": kind,
            "description": why, "query": query, "expectedSymbols": expected, "scope": None,
            "kinds": [d["kind"]] if kind != "expansion" else [], "topK": TOP_K[kind]}
