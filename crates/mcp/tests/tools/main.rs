//! Tools over a small repository, as an agent calls them.

mod any;
mod asked;
mod claims;
mod kept;
mod review;
mod support;
