//! The crate from outside: facts in, imports, definitions, references and ranks out.

mod imports;
mod ranks;
mod support;
