//! Helpers shared by the end-to-end tests: repositories made on the spot, and the built `whyrank`
//! with a home folder of its own.

mod home;
mod repository;
mod skip;
mod trace;

pub use home::{Home, Outcome, program};
pub use repository::TestRepo;
pub use skip::skip;
pub use trace::{assert_sums, shown_places};
