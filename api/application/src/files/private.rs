//! Files that members attach to what only they and staff read.

use domain::ids::MemberId;
use projections::state::files;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::blob_store::FileName;
use crate::error::{AppError, AppResult};

/// An attached file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PrivateFile {
    /// Id of the file.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Its original name.
    pub name: String,
    /// Its URL.
    pub url: String,
}

/// Those of the files that still exist and belong to this member.
///
/// # Errors
/// Database errors; a forged seal.
pub async fn of_member(app: &App, owner: MemberId, ids: &[Uuid]) -> AppResult<Vec<PrivateFile>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut stored = files::found(app.pool(), ids).await?;
    let mut found = Vec::new();
    for id in ids {
        let file = stored.remove(id);
        let Some(file) = file.filter(|file| file.owner == owner) else {
            continue;
        };
        let url = match file.width {
            Some(_) => FileName::picture(&file.hash, None).url(),
            None => FileName::document(&file.hash).url(),
        };
        found.push(PrivateFile {
            id: *id,
            name: app.open(&file.name).await?.unwrap_or_default(),
            url,
        });
    }
    Ok(found)
}

/// Requires the files to be private uploads of this member.
///
/// # Errors
/// `invalid` with `unknown` at `field`.
pub(crate) async fn require(
    app: &App,
    member: MemberId,
    ids: &[Uuid],
    field: &str,
) -> AppResult<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let stored = files::found(app.pool(), ids).await?;
    let own = |id| {
        let file = stored.get(id);
        file.is_some_and(|file| file.owner == member && !file.shown)
    };
    match ids.iter().all(own) {
        true => Ok(()),
        false => Err(AppError::invalid_field(
            field,
            "unknown",
            "첨부파일을 다시 올려 주세요.",
        )),
    }
}
