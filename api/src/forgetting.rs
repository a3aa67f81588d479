//! Leaving the shop, and being forgotten.
//!
//! One append says that a member left and frees their names. What follows from it (their profile key, carts, files, ways in) is
//! done at once and, should the program die in between, by the policy `forgetting`: all of it may be done again. The key of
//! their orders' records goes when the law is done with them: a deadline.

use domain::Ledger;
use domain::Purpose;
use domain::ids::MemberId;
use domain::member::{LeavingReason, Member, MemberAct, MemberType, statutory_until};
use event_store::{Expected, Opened, StreamAppend};
use projections::state::{files, forgotten, order_contacts};
use projections::{order_timeline, orders};

use crate::app::AppState;
use crate::commands::{Change, Command, Done};
use crate::files::folder::Folder;
use crate::http::position::PATIENCE;
use crate::http::tokens::ACCESS_LIFE;
use crate::http::{ApiError, ApiResult, Code};
use crate::users::documents::{DOCUMENT, document_hash};
use crate::users::{NICKNAME, USERNAME, nickname_hash, username_hash};

/// Who wants a member gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// They themselves; refused while something of theirs is under way, because nobody could be asked about it.
    Theirs,
    /// Whoever runs the shop: at once.
    Operators,
}

/// A member leaves.
///
/// # Errors
/// `not_found`; `not_allowed_now` while orders are under way; `access_denied` for staff, who are let go by staff.
pub async fn leave(
    app: &AppState,
    command: &Command,
    member: MemberId,
    reason: Option<LeavingReason>,
    wish: Wish,
) -> ApiResult<Done> {
    let head = app.store.head().await?;
    let read = [orders::NAME, order_timeline::NAME];
    app.store.wait_for(&read, head, PATIENCE).await?;
    let under_way = forgotten::unfinished(app.pool(), member).await?;
    let last = forgotten::last_dealing(app.pool(), member).await?;
    let done = app.commander.run(command, |context| async move {
        let loaded = app.store.load::<Member>(&member.to_string()).await?;
        let sealed = loaded
            .state
            .profile
            .as_ref()
            .ok_or_else(ApiError::not_found)?;
        if wish == Wish::Theirs {
            if loaded.state.member_type == MemberType::Operator {
                return Err(ApiError::new(Code::AccessDenied));
            }
            if under_way > 0 {
                let message = format!("진행 중인 주문이 {under_way}건 있어 탈퇴할 수 없습니다.");
                return Err(ApiError::new(Code::NotAllowedNow).saying(message));
            }
        }
        // what is still under way is dealt with after this
        let last = if under_way > 0 {
            Some(context.now)
        } else {
            last
        };
        let act = MemberAct::Leave {
            reason,
            statutory_until: last.map(statutory_until),
        };
        let events = loaded.state.decide(act, &context)?;
        let mut change = Change::of([StreamAppend::new::<Member>(
            member,
            Expected::Exact(loaded.version),
            &events,
        )?]);
        for document in &loaded.state.documents {
            change = change.releasing(DOCUMENT, document_hash(&app.keys, *document), member);
        }
        Ok(match app.keys.open(sealed).await? {
            Opened::Value(profile) => change
                .releasing(
                    USERNAME,
                    username_hash(&app.keys, &profile.username),
                    member,
                )
                .releasing(
                    NICKNAME,
                    nickname_hash(&app.keys, &profile.nickname),
                    member,
                ),
            // the keys were lost: nobody can tell the names any more
            Opened::Erased => change,
        })
    });
    let done = done.await?;
    let left = app.store.load::<Member>(&member.to_string()).await?.state;
    let_go(app, member, left.statutory_until.is_none()).await?;
    Ok(done)
}

/// What follows from a member's leaving; doing it again changes nothing.
///
/// # Errors
/// The database's; the disk's.
pub async fn let_go(app: &AppState, member: MemberId, everything: bool) -> ApiResult<()> {
    app.keys.destroy(member.0, Purpose::Profile).await?;
    if everything {
        erase(app, member).await?;
    }
    forgotten::let_go(app.pool(), member).await?;
    // what sellers and staff gave to be shown is the shop's; what people did is their own
    let was = app.store.load::<Member>(&member.to_string()).await?.state;
    let shown_too = was.member_type == MemberType::Person;
    for (file, hash) in files::of_owner(app.pool(), member, shown_too).await? {
        let mut alone = files::alone(app.pool(), &hash).await?;
        if files::remove(&mut alone, file, &hash).await? {
            let folder = Folder::of(&app.settings);
            tokio::task::spawn_blocking(move || folder.remove(&hash))
                .await?
                .map_err(ApiError::internal)?;
        }
        alone.commit().await?;
    }
    Ok(())
}

/// Lets go once more of who left lately: the token they had may have made rows for some minutes after.
///
/// # Errors
/// The database's; the disk's.
pub async fn sweep(app: &AppState) -> ApiResult<()> {
    let since = app.clock.now() - 4 * ACCESS_LIFE;
    for member in forgotten::left_since(app.pool(), since).await? {
        let_go(app, member, false).await?;
    }
    Ok(())
}

/// Nobody can read any more who a member's orders were with; doing it again changes nothing.
///
/// # Errors
/// The database's.
pub async fn erase(app: &AppState, member: MemberId) -> ApiResult<()> {
    app.keys.destroy(member.0, Purpose::Statutory).await?;
    order_contacts::forget(app.pool(), member).await?;
    Ok(())
}
