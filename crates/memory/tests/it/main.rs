//! What memory promises, checked on real git histories and real files.

mod crash;
mod disk;
mod drift;
mod enemy;
mod exchange;
mod fixture;
mod full_walk;
mod histories;
mod input;
mod intervals;
mod leaks;
mod range;
mod ranking;
mod scale;
