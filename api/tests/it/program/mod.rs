//! The program `jangbu` at a terminal.

mod commands;
mod demonstration;
mod export;
