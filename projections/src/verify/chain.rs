//! Reports problems of the hash chain as differences.

use event_store::hash_chain::{ChainCheckOptions, ChainProgress, check};
use event_store::{ChainCheckpoint, ChainFault};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::compare::Checker;
use super::{ChainOptions, Difference, VerifyError};

/// Checks the chain; returns the position up to which the log is sealed.
pub(super) async fn check_chain(
    connection: &mut PgConnection,
    chain: ChainOptions<'_>,
    up_to: i64,
    checker: &mut Checker,
    progress: impl FnMut(ChainProgress),
) -> Result<i64, VerifyError> {
    let asked = ChainCheckOptions {
        trusted: chain.trusted,
        marks: chain.marks,
        up_to,
        after: chain.after,
    };
    let found = check(connection, asked, progress).await?;
    let checked = found.blocks.saturating_add(found.events);
    checker.checked = checker.checked.saturating_add(checked);
    checker
        .differences
        .extend(found.faults.into_iter().map(difference));
    Ok(found.sealed_to)
}

fn difference(fault: ChainFault) -> Difference {
    let (model, key, expected, found) = match fault {
        ChainFault::Changed {
            position,
            stream,
            version,
            event_type,
            sealed,
            found,
        } => (
            "log",
            format!("position {position}"),
            json!({ "sha256": sealed }),
            json!({ "sha256": found, "stream": stream.to_string(), "version": version, "type": event_type }),
        ),
        ChainFault::Removed {
            position,
            block,
            sealed,
        } => (
            "log",
            format!("position {position}"),
            json!({ "sha256": sealed, "block": block }),
            Value::Null,
        ),
        ChainFault::Added {
            position,
            stream,
            version,
            event_type,
            block,
        } => (
            "log",
            format!("position {position}"),
            json!({ "block": block, "event": null }),
            json!({ "stream": stream.to_string(), "version": version, "type": event_type }),
        ),
        ChainFault::Forged { block, why } => (
            "chain",
            format!("block {block}"),
            "a block as its signer left it".into(),
            why.to_string().into(),
        ),
        ChainFault::Missing { block } => (
            "chain",
            format!("block {block}"),
            "a block".into(),
            Value::Null,
        ),
        ChainFault::Departed { mark } => {
            let ChainCheckpoint { number, .. } = mark;
            (
                "chain",
                format!("block {number}"),
                mark.to_string().into(),
                "another chain".into(),
            )
        }
    };
    Difference {
        model: model.to_owned(),
        key,
        expected,
        found,
    }
}
