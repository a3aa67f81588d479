//! The command line of `jangbu`.

mod commands;
mod demonstration;
mod export;
