//! The program `jangbu`: the shop over HTTP, its background work, the services outside and their sandbox.

pub mod cli;
pub mod integrations;
pub mod postgres;
pub mod private_file;
pub mod sandbox;
pub mod settings;
