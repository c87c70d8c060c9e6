//! Setting up coding agents: finds their configuration, writes one entry, verifies and undoes it.
//!
//! `clients.toml` says where each client keeps its servers; everything else is one engine over it.
//! Home directory, environment, operating system and clock are arguments. A file that does not parse
//! is never written; what is written differs from what was there in our entry alone.

mod api;
mod clients;
mod document;
mod entry;
mod error;
mod files;
mod hooks;
mod journal;
mod links;
mod places;
mod plugin;
mod quoting;
mod redact;
mod server;
mod setup;
mod skill;
mod snippet;
mod verify;
mod written;

pub use api::{
    Applied, ClientStatus, Connection, FileChange, Placement, PlacementState, Plan, Request, Scope,
    Tick, TickState, Verification, VerifyRequest,
};
pub use clients::{Client, clients};
pub use error::AgentsError;
pub use places::{Os, Places};
pub use plugin::write_plugin;
pub use redact::{redact_text, redact_value};
pub use server::{NAME, Server, ServerProfile};
pub use setup::Setup;
