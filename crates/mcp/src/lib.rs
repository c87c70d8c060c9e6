//! MCP server: one table of tools, stdio.
