//! The configured database: an external server, or the embedded one.

use embedded_postgres::{Cluster, Durability, LaunchOptions, PostgresError};

use crate::settings::Settings;

/// The database of this process.
#[derive(Debug)]
pub enum Database {
    /// The owner's server.
    External {
        /// Its connection URL.
        url: String,
    },
    /// The embedded server.
    Embedded(Cluster),
}

impl Database {
    /// Opens the configured database, running and ready. Call this before the asynchronous runtime starts, and [`Database::stop`] after it
    /// has ended.
    ///
    /// # Errors
    /// No Postgres can be run, or it does not start.
    pub fn open(settings: &Settings) -> Result<Self, PostgresError> {
        if let Some(url) = &settings.database.url {
            return Ok(Self::External { url: url.clone() });
        }
        Cluster::start(LaunchOptions {
            data_folder: settings.data_folder.clone(),
            bin_dir: settings.database.bin_dir.clone(),
            durability: match settings.database.durable {
                true => Durability::Production,
                false => Durability::Test,
            },
        })
        .map(Self::Embedded)
    }

    /// Its connection URL, including the password. It stays the same while this process runs.
    pub fn url(&self) -> &str {
        match self {
            Self::External { url } => url,
            Self::Embedded(cluster) => cluster.url(),
        }
    }

    /// Stops it if it is embedded and run by this process.
    pub fn stop(self) {
        if let Self::Embedded(cluster) = self {
            cluster.stop();
        }
    }
}
