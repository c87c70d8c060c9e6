//! Language server: what an editor asks, as requests to the engine, and its answers in the editor's types.
//!
//! A method is a file in `methods`. It finds the place that is meant in what the index knows (`named`),
//! asks the engine, and writes the answer (`places`). Nothing here resolves a name.
//!
//! A file that is open and not saved differs from what the index read. Lines that both have are mapped
//! onto each other (`line_map`); lines that only the buffer has are parsed, and lead on by name. Parameters and
//! local variables are read from the buffer alone (`locals`).

mod ask;
mod capabilities;
mod client;
mod documents;
mod encoding;
mod failure;
mod index_progress;
mod kept;
mod last_locals;
mod line_map;
mod locals;
mod methods;
mod mode;
mod named;
mod notifications;
mod places;
mod roots;
mod server;
mod shared;
mod shown;
mod stdio;
mod uri;
mod users;
mod workers;

pub use failure::ServeError;
pub use mode::Mode;
pub use server::{Ending, serve};
pub use stdio::serve_stdio;
