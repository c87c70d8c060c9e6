"""Asks `whyrank mcp` over stdio and over HTTP with the official Python client.

usage: client.py WHYRANK REPOSITORY (WHYRANK_HOME is a folder of its own)
"""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def ask(name, streams):
    async with streams as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        print(f"{name}: {len(tools)} tools")
        await session.call_tool("index", {"wait_s": 60})
        for tool, arguments in [("search", {"query": "value added tax"}), ("no_such_tool", {})]:
            answer = await session.call_tool(tool, arguments)
            failed = getattr(answer, "is_error", None) or getattr(answer, "isError", None)
            print(f"{name}: {tool}: {'error' if failed else 'ok'}: {answer.content[0].text[:400]!r}")


def over_http(url, token):
    headers = {"Authorization": f"Bearer {token}"}
    try:
        import httpx2 as httpx
    except ImportError:
        import httpx
    from mcp.client import streamable_http

    make = getattr(streamable_http, "streamable_http_client", None)
    if make is None:
        return streamable_http.streamablehttp_client(url, headers=headers)
    return make(url, http_client=httpx.AsyncClient(headers=headers))


async def main(whyrank, repository):
    env = dict(os.environ)
    server = StdioServerParameters(command=whyrank, args=["mcp", "--repo", repository], env=env)
    await ask("stdio", stdio_client(server))
    command = [whyrank, "mcp", "--http", "--repo", repository]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=env, text=True) as process:
        try:
            url = re.search(r"serving (\S+)", process.stderr.readline()).group(1)
            token = Path(env["WHYRANK_HOME"], "state/http-token").read_text().strip()
            await ask("http", over_http(url, token))
        finally:
            process.terminate()


asyncio.run(main(*sys.argv[1:]))
