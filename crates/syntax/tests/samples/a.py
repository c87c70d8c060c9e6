"""Mod doc."""
from __future__ import annotations
import os.path as osp, sys
from .helpers import get_env as ge, x
from ..pkg import *
T = 1
foo: int = 2

# About app
@app.route("/x")
@cached
def view(name: str, *args, k=1) -> Response:
    """Doc."""
    global counter
    counter = 2
    y = name.upper()
    return render(y, k=k)

class A(Base, metaclass=Meta):
    """Cls"""
    z = 1
    def __init__(self, a): self.a = a
    @property
    def p(self):
        def inner(q): return q
        return [i for i in self.items if inner(i)]
    def _h(self): raise ValueError("x")
