//! The database the settings name: the owner's server, or the embedded one.

use embedded_postgres::{Cluster, Durability, LaunchOptions, PostgresError};

use crate::settings::Settings;

/// The database of this process.
#[derive(Debug)]
pub enum Database {
    /// The owner's.
    External {
        /// Where it is.
        url: String,
    },
    /// Ours.
    Embedded(Cluster),
}

impl Database {
    /// The database the settings name, running and ready. Call this before the asynchronous runtime starts, and
    /// [`Database::stop`] after it has ended.
    ///
    /// # Errors
    /// When there is no Postgres to run, or it does not come up.
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

    /// Its address, with the password in it. It stays the same while this process runs.
    pub fn url(&self) -> &str {
        match self {
            Self::External { url } => url,
            Self::Embedded(cluster) => cluster.url(),
        }
    }

    /// Stops it if it is ours and this process runs it.
    pub fn stop(self) {
        if let Self::Embedded(cluster) = self {
            cluster.stop();
        }
    }
}
