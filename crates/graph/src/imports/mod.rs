//! Which file an import leads to, and the graph of imports.
//!
//! What for: edges between files. What not: which definition an imported name means is resolution.

pub(crate) mod aliases;
pub(crate) mod import_graph;
pub(crate) mod import_path;
pub(crate) mod packages;
pub(crate) mod provided;
pub(crate) mod resolve;
pub(crate) mod view_imports;
