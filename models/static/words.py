"""Words of a text as the static table knows them, and the vector of a text.

The program in Rust does the same, character for character; `check.json` holds both to it.

>>> words("HTTPServer get_user2id(xs) naïveCafé")
['http', 'server', 'get', 'user', '2', 'id', 'xs', 'naïve', 'café']
>>> words("parseJSONFast x2y v1.0 ABc")
['parse', 'json', 'fast', 'x', '2', 'y', 'v', '1', '0', 'a', 'bc']
>>> words("读取文件 read漢字 一")
['读取文件', 'read', '漢字', '一']
>>> known = {"http", "server", "serve", "read", "able", "ing", "s", "data", "base", "readable"}
>>> tokens("HTTPServers readables readingdatabase qqq databasez", known)
['http', 'server', 's', 'readable', 's', '?readingdatabase', '?qqq', '?databasez']
>>> tokens("readdatabase readdatabases serving", known)
['read', 'data', 'base', '?readdatabases', '?serving']
>>> tokens("读取文件 read漢字 一", known)
['?读取', '?取文', '?文件', 'read', '?漢字', '?一']
>>> tokens("a" * 41 + " data", known)
['data']
>>> fnv1a(b"hello") == 0xa430d84680aabd0b
True
>>> direction("hello", 256)[:4].tolist()
[-0.0625, -0.0625, -0.0625, -0.0625]
>>> identifiers("get_user_name(httpServer, x) + 漢字 a__b")
['get user', 'user name', 'http server', 'a b']
"""

import json
import re
import unicodedata

import numpy as np

MOST_CHARACTERS, LEAST_PIECE, MOST_PIECES = 40, 3, 3
SUFFIXES = ("s", "es", "ed", "er", "ing", "ly")
MOST_BYTES = 2000
# First and last character of scripts whose words are not set apart by spaces.
WITHOUT_SPACES = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x3005, 0x3007), (0x3040, 0x30FF),
    (0x3100, 0x318F), (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x20000, 0x3FFFF),
)
ASCII_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def without_spaces(c):
    return any(first <= ord(c) <= last for first, last in WITHOUT_SPACES)


def numeric(c):
    """Of a number category: a Chinese numeral is a letter."""
    return unicodedata.category(c)[0] == "N"


def cut_before(last, c, after):
    if numeric(last) != numeric(c) or without_spaces(last) != without_spaces(c):
        return True
    return c.isupper() and (last.islower() or (last.isupper() and after.islower()))


def words(text):
    """Lower-cased words: runs of letters and digits, cut where case, number or script turns."""
    if text.isascii():
        return [word.lower() for word in ASCII_WORD.findall(text)]
    out, word = [], ""
    for at, c in enumerate(text):
        if word and (not c.isalnum() or cut_before(word[-1], c, text[at + 1 : at + 2])):
            out.append(word.lower())
            word = ""
        if c.isalnum():
            word += c
    return [*out, word.lower()] if word else out


def pieces(word, known):
    """The fewest known words that make up a word, the longest first; none if more than MOST_PIECES."""
    def cut(rest, most):
        if (len(rest) >= LEAST_PIECE or rest in SUFFIXES) and rest in known:
            return [rest]
        if most == 1:
            return None
        best = None
        for end in range(len(rest) - 1, LEAST_PIECE - 1, -1):
            if rest[:end] in known:
                after = cut(rest[end:], (len(best) - 2) if best else most - 1)
                if after:
                    best = [rest[:end], *after]
                    if len(best) == 2:
                        break
        return best

    return cut(word, MOST_PIECES) or []


def tokens_of(word, known):
    """A word's tokens: known ones as they are, unknown ones after a question mark."""
    if word in known:
        return [word]
    if without_spaces(word[0]):
        return ["?" + word[at : at + 2] for at in range(max(1, len(word) - 1))]
    if len(word) > MOST_CHARACTERS:
        return []
    return pieces(word, known) or ["?" + word]


def tokens(text, known):
    return [token for word in words(text) for token in tokens_of(word, known)]


IDENTIFIER = re.compile(r"[^\W]+")


def identifiers(text):
    """Neighbouring words of one identifier (a run of letters, digits and underscores), as "a b"."""
    out = []
    for run in IDENTIFIER.findall(text):
        of = words(run)
        out += [f"{a} {b}" for a, b in zip(of, of[1:])]
    return out


def fnv1a(data):
    at = 0xCBF29CE484222325
    for byte in data:
        at = (at ^ byte) * 0x100000001B3 % 2**64
    return at


def splitmix(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        yield z ^ (z >> 31)


def direction(word, dim):
    """An unknown word's unit vector: component i is positive where bit i of the stream is set.

    Bit i is bit i % 64, counted from the lowest, of output i / 64 of splitmix64."""
    stream = splitmix(fnv1a(word.encode()))
    bits = [(number >> bit) & 1 for number, _ in zip(stream, range((dim + 63) // 64)) for bit in range(64)]
    return ((2.0 * np.array(bits[:dim]) - 1) / np.sqrt(dim)).astype(np.float32)


def packed(rows):
    """Two components a byte, the first in the low half: -8 to 7 as 0 to 15.

    >>> unpacked(packed(np.array([[-7, 3, 0, 7]], np.int8))).tolist()
    [[-7, 3, 0, 7]]"""
    halves = (rows + 8).astype(np.uint8)
    return halves[:, 0::2] | halves[:, 1::2] << 4


def unpacked(rows):
    return (np.stack([rows & 15, rows >> 4], 2).reshape(len(rows), -1).astype(np.int8) - 8).astype(np.int8)


class Table:
    """The file as the program reads it."""

    def __init__(self, path):
        data = open(path, "rb").read()
        length = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + length])

        def tensor(name, kind):
            start, end = header[name]["data_offsets"]
            return np.frombuffer(data[8 + length + start : 8 + length + end], kind).reshape(header[name]["shape"])

        about = header["__metadata__"]
        self.rows = unpacked(tensor("embeddings", np.uint8))
        self.dim = self.rows.shape[1]
        self.weights = {"query": tensor("query_weights", "<f4"), "document": tensor("document_weights", "<f4")}
        self.unknown = {kind: float(about[f"unknown_{kind}_weight"]) for kind in self.weights}
        self.count, self.name_factor = about["count"], float(about["name_factor"])
        self.known = {word: row for row, word in enumerate(tensor("words", np.uint8).tobytes().decode().split("\n"))}

    def counted(self, n):
        return {"linear": float(n), "sqrt": n**0.5, "log": 1 + np.log(n) if n else 0.0}[self.count]

    def vector(self, text, kind):
        """The unit vector of a text; zeros if it has no token.

        A document's first line (up to its first "\\n") is its name: the times a token stands in it are
        counted apart from those in the rest. A query has no name."""
        text = text.encode()[:MOST_BYTES].decode(errors="ignore")
        name, rest = text.split("\n", 1) if kind == "document" and "\n" in text else ("", text)
        if kind == "document" and "\n" not in text:
            name, rest = text, ""
        times = {}
        for at, part in enumerate((name, rest)):
            for token in tokens(part, self.known):
                times.setdefault(token, [0, 0])[at] += 1
        total = np.zeros(self.dim)
        for token, (in_name, in_rest) in times.items():
            factor = self.counted(in_rest) + self.name_factor * self.counted(in_name)
            if token.startswith("?"):
                total += factor * self.unknown[kind] * direction(token[1:], self.dim)
            else:
                row = self.known[token]
                total += factor * self.weights[kind][row] * self.rows[row]
        return total / max(np.sqrt((total * total).sum()), 1e-12)
