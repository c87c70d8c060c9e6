//! The arguments of `whyrank doctor`.

use clap::Args;

use super::repo::WhereArgs;

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) place: WhereArgs,
    /// Also check the structure of each database
    #[arg(long)]
    pub(crate) deep: bool,
    /// First set aside what of the memory names a time that there is not
    #[arg(long)]
    pub(crate) repair: bool,
}
