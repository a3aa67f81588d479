//! Who is a member, by nickname. Nicknames are sealed wherever they are kept, so no query can look into them: this process opens
//! each once, and after that only what has changed since. Who leaves is out of it with the next look.

use std::collections::{BTreeMap, HashMap};

use domain::ids::MemberId;
use domain::member::{MemberType, Scope};
use projections::members::{MemberRow, members_since};
use tokio::sync::{Mutex, RwLock};

use super::nicknames;
use crate::app::AppState;
use crate::http::AppResult;

/// A member as others may know them.
#[derive(Clone, Debug)]
pub struct Known {
    /// Who.
    pub id: MemberId,
    /// What they call themselves.
    pub nickname: String,
    /// Person, company or staff.
    pub member_type: MemberType,
    /// What their token may do.
    pub scopes: Vec<Scope>,
}

impl Known {
    /// Whether goods can be theirs: a company's, or the shop's own, which staff sells.
    pub fn sells(&self) -> bool {
        !self.scopes.is_empty()
    }
}

/// Everybody, as far as this process has looked.
#[derive(Debug, Default)]
pub struct Directory {
    looked: RwLock<Looked>,
    /// Held while names are opened, so that none is opened twice. Whoever finds nothing to open does not wait for it.
    opening: Mutex<()>,
}

#[derive(Debug, Default)]
struct Looked {
    /// Up to this position of the log.
    position: i64,
    members: BTreeMap<MemberId, Known>,
}

impl Directory {
    /// Those who are wanted and have `term` in their nickname, whatever the case; by nickname.
    ///
    /// # Errors
    /// The database's.
    pub async fn find(
        &self,
        app: &AppState,
        term: &str,
        wanted: impl Fn(&Known) -> bool,
    ) -> AppResult<Vec<Known>> {
        let term = term.trim().to_lowercase();
        self.look(app).await?;
        let fits = |known: &&Known| wanted(known) && known.nickname.to_lowercase().contains(&term);
        let looked = self.looked.read().await;
        let mut found: Vec<Known> = looked.members.values().filter(fits).cloned().collect();
        drop(looked);
        found.sort_by(|one, other| (&one.nickname, one.id).cmp(&(&other.nickname, other.id)));
        Ok(found)
    }

    /// One member; none: there is no such, or they left.
    ///
    /// # Errors
    /// The database's.
    pub async fn one(&self, app: &AppState, id: MemberId) -> AppResult<Option<Known>> {
        self.look(app).await?;
        Ok(self.looked.read().await.members.get(&id).cloned())
    }

    /// Takes in what has changed since the last look. Names are opened before anything is held that readers wait for.
    async fn look(&self, app: &AppState) -> AppResult<()> {
        if self.changed(app).await?.is_empty() {
            return Ok(());
        }
        let _turn = self.opening.lock().await;
        // Whoever had the turn before may have opened them all.
        let changed = self.changed(app).await?;
        let names = nicknames(app, changed.iter().map(|row| row.id)).await?;
        self.looked.write().await.take_in(changed, &names);
        Ok(())
    }

    async fn changed(&self, app: &AppState) -> AppResult<Vec<MemberRow>> {
        let position = self.looked.read().await.position;
        Ok(members_since(app.pool(), position).await?)
    }
}

impl Looked {
    fn take_in(&mut self, changed: Vec<MemberRow>, names: &HashMap<MemberId, String>) {
        for row in changed {
            self.position = self.position.max(row.position);
            match names.get(&row.id).filter(|name| !name.is_empty()) {
                Some(nickname) => {
                    let known = Known {
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
