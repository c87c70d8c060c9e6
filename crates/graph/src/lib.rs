//! Import and symbol graph: resolution, references, PageRank.
