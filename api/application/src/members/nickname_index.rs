//! Finds members by nickname. Nicknames are sealed wherever they are stored, so no query can search them: the process opens each
//! once, and afterwards only those that have changed. Closed accounts disappear with the next update.

use std::collections::{BTreeMap, HashMap};

use domain::ids::MemberId;
use domain::member::{MemberType, Scope};
use projections::members::{MemberRow, members_since};
use tokio::sync::{Mutex, RwLock};

use super::profiles::nicknames;
use crate::app::App;
use crate::error::AppResult;

/// A member with an open account.
#[derive(Clone, Debug)]
pub struct IndexedMember {
    /// The id.
    pub id: MemberId,
    /// The nickname.
    pub nickname: String,
    /// Person, company or staff.
    pub member_type: MemberType,
    /// Scopes.
    pub scopes: Vec<Scope>,
}

impl IndexedMember {
    /// Whether products can be theirs: companies sell their own, staff the shop's.
    pub fn sells(&self) -> bool {
        !self.scopes.is_empty()
    }
}

/// The nicknames this process has opened.
#[derive(Debug, Default)]
pub struct NicknameIndex {
    opened: RwLock<OpenedNames>,
    /// Held while names are opened, so that none is opened twice.
    opening: Mutex<()>,
}

#[derive(Debug, Default)]
struct OpenedNames {
    /// Up to this position of the log.
    position: i64,
    members: BTreeMap<MemberId, IndexedMember>,
}

impl NicknameIndex {
    /// The members that `filter` accepts and whose nickname contains `term`, ignoring case; by nickname.
    ///
    /// # Errors
    /// Database errors.
    pub async fn find(
        &self,
        app: &App,
        term: &str,
        filter: impl Fn(&IndexedMember) -> bool,
    ) -> AppResult<Vec<IndexedMember>> {
        let term = term.trim().to_lowercase();
        self.update(app).await?;
        let fits =
            |known: &&IndexedMember| filter(known) && known.nickname.to_lowercase().contains(&term);
        let names = self.opened.read().await;
        let mut found: Vec<IndexedMember> = names.members.values().filter(fits).cloned().collect();
        drop(names);
        found.sort_by(|one, other| (&one.nickname, one.id).cmp(&(&other.nickname, other.id)));
        Ok(found)
    }

    /// One member with an open account.
    ///
    /// # Errors
    /// Database errors.
    pub async fn one(&self, app: &App, id: MemberId) -> AppResult<Option<IndexedMember>> {
        self.update(app).await?;
        Ok(self.opened.read().await.members.get(&id).cloned())
    }

    /// Opens the names that have changed; no lock that readers wait for is held meanwhile.
    async fn update(&self, app: &App) -> AppResult<()> {
        if self.changed(app).await?.is_empty() {
            return Ok(());
        }
        let _turn = self.opening.lock().await;
        // Another caller may have opened them meanwhile.
        let changed = self.changed(app).await?;
        let names = nicknames(app, changed.iter().map(|row| row.id)).await?;
        self.opened.write().await.apply(changed, &names);
        Ok(())
    }

    async fn changed(&self, app: &App) -> AppResult<Vec<MemberRow>> {
        let position = self.opened.read().await.position;
        Ok(members_since(app.pool(), position).await?)
    }
}

impl OpenedNames {
    fn apply(&mut self, changed: Vec<MemberRow>, names: &HashMap<MemberId, String>) {
        for row in changed {
            self.position = self.position.max(row.position);
            match names.get(&row.id).filter(|name| !name.is_empty()) {
                Some(nickname) => {
                    let known = IndexedMember {
                        id: row.id,
                        nickname: nickname.clone(),
                        member_type: row.member_type,
                        scopes: row.scopes,
                    };
                    self.members.insert(row.id, known);
                }
                None => {
                    self.members.remove(&row.id);
                }
            }
        }
    }
}
