//! Brings what changed in the read model `search_documents` into the search engine.
//!
//! It runs where the engine is: with the engine inside the program that is the process answering requests. An engine
//! remembers the position it was fed up to, and documents carry theirs, so feeding again harms nothing.

use std::collections::HashMap;
use std::time::Duration;

use domain::ids::MemberId;
use projections::search_documents::{ChangedDocument, changed_documents};
use search_index::{ProductDocument, Removal};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::app::AppState;
use crate::http::ApiResult;
use crate::users::nicknames;

/// Documents fed at once.
const AT_ONCE: i64 = 500;
/// Pause after a failure.
const PAUSE: Duration = Duration::from_secs(1);

/// Feeds the engine of this process until told to stop; what fails is tried again.
pub async fn run(app: AppState, stopping: CancellationToken) {
    while let Some(fed) = stopping.run_until_cancelled(feed(&app)).await {
        let pause = match fed {
            Ok(0) => app.settings.worker.poll,
            Ok(_) => continue,
            Err(error) => {
                tracing::warn!(?error, "the search engine is not fed");
                PAUSE
            }
        };
        if stopping
            .run_until_cancelled(tokio::time::sleep(pause))
            .await
            .is_none()
        {
            return;
        }
    }
}

/// Feeds what changed since the engine's position; answers how much that was.
///
/// # Errors
/// The database's or the engine's.
pub async fn feed(app: &AppState) -> ApiResult<usize> {
    let after = app.search.position().await?;
    let changes = changed_documents(app.pool(), after, AT_ONCE).await?;
    let Some(last) = changes.last().map(|change| change.position) else {
        return Ok(0);
    };
    let fed = changes.len();
    let names = nicknames(app, changes.iter().map(|change| change.seller)).await?;
    let (mut documents, mut removals) = (Vec::new(), Vec::new());
    for change in changes {
        match document(change, &names)? {
            Ok(document) => documents.push(document),
            Err(removal) => removals.push(removal),
        }
    }
    app.search.upsert(documents).await?;
    app.search.remove(removals).await?;
    app.search.commit(last).await?;
    Ok(fed)
}

/// The document with its seller's name, or what is gone.
fn document(
    change: ChangedDocument,
    names: &HashMap<MemberId, String>,
) -> ApiResult<Result<ProductDocument, Removal>> {
    let Some(mut document) = change.document else {
        return Ok(Err(Removal {
            id: change.product.0,
            position: change.position,
        }));
    };
    if let Value::Object(fields) = &mut document {
        fields.insert("sellerName".to_owned(), json!(names.get(&change.seller)));
    }
    Ok(Ok(serde_json::from_value(document)?))
}
