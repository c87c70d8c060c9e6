//! Tools over a small repository, as an agent calls them.

mod any;
mod asked;
mod claims;
mod fresh;
mod kept;
mod review;
mod support;
