//! What memory promises, checked on real git histories and real files.

mod crash;
mod drift;
mod exchange;
mod fixture;
mod histories;
mod input;
mod intervals;
mod leaks;
mod ranking;
mod scale;
