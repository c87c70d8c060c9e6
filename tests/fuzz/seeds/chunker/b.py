from .b import c as d


@d(1)
class E(F, metaclass=G):
    """Says."""
    async def h(self, *, i: int = 2) -> "J":
        return [k async for k in self if (l := k)]
