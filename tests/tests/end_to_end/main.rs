//! The whole path through the built programs, on repositories made on the spot.

mod bad_input;
mod edges;
mod incremental;
mod interrupted;
mod journey;
mod network;
mod published;
mod tools;
