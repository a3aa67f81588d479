//! Updates the file list after a replacement, even if the process crashed in between.

use crate::files::replace::follow;
use event_store::{StoredEvent, async_trait};

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};

/// Updates the file list.
pub struct Files;

#[async_trait]
impl Policy for Files {
    fn name(&self) -> &'static str {
        "policy_files"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_files")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["file"]
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        follow(app, event.stream.id.parse().map_err(AppError::internal)?).await
    }
}
