//! The program `jangbu`: the shop over HTTP, its background work, the services outside and their sandbox.

pub mod app;
pub mod clock;
pub mod http;
pub mod integrations;
pub mod postgres;
pub mod private_file;
pub mod settings;
