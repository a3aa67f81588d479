//! The program `jangbu`: the shop over HTTP, its background work, its command line and its settings.

pub mod addresses;
pub mod app;
pub mod audit;
pub mod auth;
pub mod backup;
pub mod cli;
pub mod command_titles;
pub mod console;
pub mod database;
pub mod demonstration;
pub mod files;
pub mod http;
pub mod me;
pub mod metrics;
pub mod operations;
pub mod plugins;
pub mod rebuild;
pub mod refusals;
pub mod router;
pub mod search_feed;
pub mod seed;
pub mod serve;
pub mod settings;
pub mod shop;
pub mod users;
pub mod worker;
