//! The crate from outside: facts in, imports, definitions, references and ranks out.

mod bounds;
mod dead;
mod idioms;
mod impact;
mod implementations;
mod imports;
mod languages;
mod layout;
mod names;
mod neighbourhood;
mod precise;
mod push;
mod ranks;
mod receivers;
mod relations;
mod runtime;
mod speed;
mod structure;
mod support;
mod updates;
mod uses;
