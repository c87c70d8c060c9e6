//! Tools over a small repository, as an agent calls them.

mod any;
mod arguments;
mod as_task;
mod asked;
mod claims;
mod diffs;
mod fresh;
mod kept;
mod notebooks;
mod places;
mod review;
mod roots;
mod several;
mod support;
mod uses;
