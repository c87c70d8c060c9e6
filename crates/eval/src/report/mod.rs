//! Reports of a run for people: Markdown, one self-contained HTML file, CSV, and two runs side by
//! side.
//!
//! In go figures that are already computed ([`crate::Summary`]) and the lines that they were computed
//! from; out come strings. Nothing here reads a clock, a file or the machine: the same input gives the
//! same bytes. Names, questions, paths and answers come from repositories that nobody vouches for, so
//! every string is cleaned and escaped where it is written.

mod comparison;
mod csv;
mod drill_down;
mod figures;
mod html;
mod markdown;
mod numbers;
mod overview;
mod reliability;
mod scatter;
mod svg;
mod table;
mod tasks;
mod text;
mod view;
mod words;

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

pub use comparison::comparison_markdown;
pub use csv::csv;
pub use html::html;
pub use markdown::markdown;
pub use overview::overview;
