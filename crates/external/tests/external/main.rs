//! What other tools' files say, damaged ones included, and whose files they speak of.

mod coverage;
mod path_matcher;
mod runs;
mod scip;
