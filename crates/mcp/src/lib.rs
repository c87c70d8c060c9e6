//! MCP server: one table of tools, over stdio and over HTTP on this machine.
//!
//! A tool is a type in `tools`: its arguments, its description, and what it asks the engine. Its row in
//! [`TOOLS`] follows from it, and from the row the list that agents see, the checks of arguments and the
//! command line's `whyrank tool`. `ask` finds the tool by rules of its own (`route`). [`present`] writes
//! the engine's plain data; nothing here searches.

mod answer;
mod args;
mod argument_coercion;
mod call_log;
mod catalogue;
mod dispatch;
mod freshness;
mod hints;
mod http;
mod lines;
mod metrics;
mod output_options;
mod places;
mod prepared_call;
pub mod present;
mod progress_report;
mod prompts_and_resources;
mod reach;
mod repo_selectors;
mod result_cache;
mod roots;
mod route;
mod schema;
mod server;
mod session;
mod several;
mod stdio;
mod table;
mod tokens;
mod tool;
mod tools;
mod unfit_request;
mod unindexed_grep;
mod watcher;

pub use answer::{ToolAnswer, ToolError, ToolResult};
pub use args::{Format, path_globs};
pub use catalogue::{find_tool, profile_cost};
pub use dispatch::call_tool;
pub use freshness::FreshnessCheck;
pub use http::{DEFAULT_PORT, HttpLimits, HttpServer, http_token, rotate_http_token};
pub use repo_selectors::named_repositories;
pub use server::Server;
pub use session::{Call, Caller, Readiness, Session, Tools};
pub use stdio::{serve_lines, serve_stdio};
pub use table::{TOOLS, reading_tools, tools_of};
pub use tokens::estimate_tokens;
pub use tool::{Effect, Family, Profile, ToolRow};
