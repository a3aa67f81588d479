//! The program `jangbu`: the shop over HTTP, its background work, the services outside and their sandbox.

pub mod addresses;
pub mod app;
pub mod audit;
pub mod auth;
pub mod cli;
pub mod clock;
pub mod commands;
pub mod console;
pub mod demo;
pub mod http;
pub mod integrations;
pub mod me;
pub mod operations;
pub mod plugins;
pub mod policies;
pub mod postgres;
pub mod private_file;
pub mod router;
pub mod sandbox;
pub mod search_feed;
pub mod seed;
pub mod serve;
pub mod settings;
pub mod shop;
pub mod users;
pub mod worker;
