//! `jangbu seal`, and the worker's periodic sealing: extends the hash chain over the log and stores its newest checkpoint beside the keys,
//! outside the database.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use embedded_postgres::private_file;
use event_store::hash_chain::Sealing;
use event_store::{ChainCheckpoint, ChainError, ChainKey, PublicKey, Store};
use tokio_util::sync::CancellationToken;

use crate::app::AppState;
use crate::metrics;
use crate::settings::Settings;

/// Interval at which the worker seals settled events.
const EVERY: Duration = Duration::from_secs(60);
/// The file of the newest checkpoint seen, in the data folder.
const FILE: &str = "chain-mark";

/// The key that signs the chain, and all keys whose signatures are accepted.
///
/// # Errors
/// The keys are not available.
pub fn keys(settings: &Settings) -> anyhow::Result<(ChainKey, Vec<PublicKey>)> {
    let key = ChainKey::from_bytes(&settings.keys()?.chain_key);
    let mut trusted = settings.secrets.chain_trusted.clone();
    trusted.push(key.public());
    Ok((key, trusted))
}

/// The newest block this machine has seen; none before the first.
///
/// # Errors
/// The file exists but is not a checkpoint.
pub fn seen(settings: &Settings) -> anyhow::Result<Option<ChainCheckpoint>> {
    let file = file(settings);
    match fs::read_to_string(&file) {
        Ok(text) => Ok(Some(
            text.parse().with_context(|| file.display().to_string())?,
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| file.display().to_string()),
    }
}

fn file(settings: &Settings) -> PathBuf {
    settings.data_folder.join(FILE)
}

/// Seals everything that has settled, and stores the checkpoint.
///
/// # Errors
/// The chain is not the one this machine has seen; database and file errors.
pub async fn seal(store: &Store, settings: &Settings) -> anyhow::Result<Sealing> {
    let (key, _) = keys(settings)?;
    let seen = seen(settings)?;
    let done = store.seal_log(&key, seen.as_ref()).await?;
    if let Some(mark) = done.newest.filter(|mark| seen != Some(*mark)) {
        private_file::replace(&file(settings), &format!("{mark}\n"))?;
    }
    Ok(done)
}

/// `jangbu seal`: seals and prints the end of the chain. With `accept`, a chain other than the one seen before is continued, which is right
/// only after an older backup was restored.
///
/// # Errors
/// As [`seal`].
pub async fn run(store: &Store, settings: &Settings, accept: bool) -> anyhow::Result<()> {
    if accept {
        match fs::remove_file(file(settings)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    let done = seal(store, settings).await?;
    println!(
        "블록 {}개에 기록 {}건을 봉인했습니다.",
        done.blocks, done.events
    );
    if let Some(mark) = done.newest {
        println!("{mark}");
    }
    Ok(())
}

/// Seals periodically until cancelled.
pub async fn watch(app: AppState, stopping: CancellationToken) {
    while stopping
        .run_until_cancelled(tokio::time::sleep(EVERY))
        .await
        .is_some()
    {
        attempt(&app).await;
    }
}

/// Seals once; the result is counted in a metric and logged.
pub async fn attempt(app: &AppState) {
    let done = seal(&app.store, &app.settings).await;
    metrics::sealed(done.is_ok());
    match done {
        Ok(done) => {
            if let Some(mark) = done.newest.filter(|_| done.blocks > 0) {
                tracing::info!(%mark, events = done.events, "the log is sealed");
            }
        }
        Err(error) if error.downcast_ref::<ChainError>().is_some_and(departed) => {
            tracing::error!(
                error = format!("{error:#}"),
                "the log is not sealed any more: run `jangbu verify`; after restoring an older backup, `jangbu seal --accept`"
            );
        }
        Err(error) => {
            tracing::warn!(error = format!("{error:#}"), "the log is not sealed");
        }
    }
}

fn departed(error: &ChainError) -> bool {
    matches!(error, ChainError::Departed(_))
}
