//! What other tools' files say, damaged ones included, and whose files they name.

mod coverage;
mod hostile;
mod path_matcher;
mod runs;
mod scip;
