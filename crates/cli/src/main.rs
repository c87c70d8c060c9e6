//! The `whyrank` command line.
fn main() {}
