//! Leaving the shop, and being forgotten.
//!
//! One append says that a member left and frees their names. What follows from it (their profile key, carts, files, ways in; what
//! they sold leaves the shelves) is done at once and, should the program die in between, by the policy `forgetting`: all of it may
//! be done again. The key of their orders' records goes when the law is done with them: a deadline.

use application::members::names::{nickname_hash, username_hash};
use application::members::registration_documents::document_hash;
use application::reservations::{DOCUMENT, NICKNAME, USERNAME};
use domain::catalogue::Product;
use domain::ids::{MemberId, OrderId, ProductId};
use domain::member::{Dealings, LeavingReason, LeavingWish, Member, MemberCommand, MemberType};
use domain::record::{Document, Record, RecordCommand, RecordError};
use domain::{Actor, Context, Decider, Purpose};
use event_store::{Expected, LockSet, LockedStreams, Opened, StreamAppend, StreamId};
use projections::state::{erasure, files, order_contacts, search_rebuilds};
use projections::{order_timeline, orders, products, search_documents};
use serde_json::Value;

use crate::app::AppState;
use crate::files::discard_row;
use crate::http::consistency::know_by_now;
use crate::http::tokens::ACCESS_LIFE;
use crate::http::{AppError, AppResult};
use application::executor::{AppendBatch, CommandContext, CommandOutcome, decide};

/// A member leaves.
///
/// # Errors
/// `not_found`; `not_allowed_now` while orders are under way; `access_denied` for staff, who are let go by staff.
pub async fn leave(
    app: &AppState,
    command: &CommandContext,
    member: MemberId,
    reason: Option<LeavingReason>,
    wish: LeavingWish,
) -> AppResult<CommandOutcome> {
    // whoever orders from or for them holds the same lock until the order is in the log
    let hold = LockSet::exclusive([StreamId::of::<Member>(member)]);
    let look = || seen(app, member, wish);
    let leaving = |locked: &LockedStreams, seen: Seen, context| {
        let loaded = locked.state::<Member>(&member.to_string())?;
        let act = MemberCommand::Leave {
            reason,
            wish,
            dealings: seen.dealings,
        };
        let mut change = AppendBatch::of([decide(member, &loaded, act, &context)?]);
        for document in &loaded.state.documents {
            change = change.release(DOCUMENT, document_hash(&app.keys, *document), member);
        }
        Ok(match seen.names {
            Some((username, nickname)) => change
                .release(USERNAME, username, member)
                .release(NICKNAME, nickname, member),
            // the keys were lost: nobody can tell the names any more
            None => change,
        })
    };
    let _held = app.hold().await?;
    let done = app
        .executor
        .transact_locked_with_read(command, &hold, look, leaving)
        .await?;
    let_go(app, member).await?;
    Ok(done)
}

/// What leaving is decided on beside the member's own ledger.
struct Seen {
    dealings: Dealings,
    /// Keyed hashes of the sign-in name and the nickname.
    names: Option<([u8; 32], [u8; 32])>,
}

/// Looks at it while nobody can order for them: what was ordered before is in the log, and waited for.
async fn seen(app: &AppState, member: MemberId, wish: LeavingWish) -> AppResult<Seen> {
    let loaded = app.store.load::<Member>(&member.to_string()).await?;
    let sealed = loaded.state.profile.ok_or_else(AppError::not_found)?;
    let names = match app.keys.open(&sealed).await? {
        Opened::Value(profile) => Some((
            username_hash(&app.keys, &profile.username),
            nickname_hash(&app.keys, &profile.nickname),
        )),
        Opened::Erased => None,
    };
    let known = know_by_now(app, &[orders::NAME, order_timeline::NAME]).await;
    let mut under_way = erasure::unfinished(app.pool(), member).await?;
    match (known, wish) {
        (Ok(()), _) => {}
        (Err(unknown), LeavingWish::Theirs) => return Err(unknown),
        // nothing is known of the latest orders: their records are kept as if there were one
        (Err(_), LeavingWish::Operators) => under_way = under_way.max(1),
    }
    Ok(Seen {
        dealings: Dealings {
            under_way,
            last: erasure::last_dealing(app.pool(), member).await?,
        },
        names,
    })
}

/// What follows from a member's having left, and from nothing else; doing it again changes nothing.
///
/// # Errors
/// The database's; the disk's.
pub async fn let_go(app: &AppState, member: MemberId) -> AppResult<()> {
    let was = app.store.load::<Member>(&member.to_string()).await?.state;
    if !was.left {
        return Ok(());
    }
    app.keys.destroy(member.0, Purpose::Profile).await?;
    if was.statutory_until.is_none() {
        erase(app, member).await?;
    }
    erasure::let_go(app.pool(), member).await?;
    take_off_shelves(app, member).await?;
    if search_documents::sells(app.pool(), member).await?
        && know_by_now(app, &[search_documents::NAME]).await.is_ok()
    {
        // an engine keeps words of what it was told before somewhere on its disk; asked for once, however often they are let go of,
        // and not before the documents know that they left: the new index would be told their name again
        let target = app.settings.search_target();
        search_rebuilds::ask(app.pool(), member.0, &target, app.clock.now()).await?;
    }
    // what sellers and staff gave to be shown is the shop's; what people did, and reviews of anybody, is their own
    let shown_too = was.member_type == MemberType::Person;
    for (file, hash) in files::of_owner(app.pool(), member, shown_too).await? {
        discard_row(app, file, hash).await?;
    }
    Ok(())
}

/// Products taken off the shelves in one append.
const AT_ONCE: usize = 100;

/// Shoppers do not see any more what a member sold who left. Orders of it are refused from the moment they left; this is for the
/// pages and the search, which read the products. Staff may put one back under another seller.
async fn take_off_shelves(app: &AppState, member: MemberId) -> AppResult<()> {
    let told = app
        .store
        .read_stream(&StreamId::of::<Member>(member))
        .await?;
    let Some(left) = told.iter().find(|event| event.event_type == "MemberLeft") else {
        return Ok(());
    };
    let actor = Actor::Policy {
        name: "forgetting".to_owned(),
    };
    let command = CommandContext::for_actor("take-off-shelves", actor)
        .with_reason("판매자 탈퇴")
        .caused_by(left);
    for shown in products::shown_of(app.pool(), member)
        .await?
        .chunks(AT_ONCE)
    {
        let decide = |context| hidden(app, shown, context);
        app.executor.transact(&command, decide).await?;
    }
    Ok(())
}

async fn hidden(app: &AppState, shown: &[ProductId], context: Context) -> AppResult<AppendBatch> {
    let mut change = AppendBatch::of([]);
    for product in shown {
        let loaded = app
            .store
            .load::<Record<Product>>(&product.to_string())
            .await?;
        let hide = Document::from_iter([("shows".to_owned(), Value::Bool(false))]);
        match loaded.state.decide(RecordCommand::Patch(hide), &context) {
            Ok(events) => change.append(StreamAppend::new::<Record<Product>>(
                product,
                Expected::Exact(loaded.version),
                &events,
            )?),
            // removed a moment ago
            Err(RecordError::NotFound) => {}
            // kept by older rules than today's: it keeps none of the others on the shelves
            Err(error) => {
                tracing::error!(%product, %error, "stays on the shelves, though nobody sells it")
            }
        }
    }
    Ok(change)
}

/// Lets go once more of who left lately: the token they had may have made rows for some minutes after.
///
/// # Errors
/// The database's; the disk's.
pub async fn sweep(app: &AppState) -> AppResult<()> {
    let since = app.clock.now() - 4 * ACCESS_LIFE;
    for member in erasure::left_since(app.pool(), since).await? {
        let_go(app, member).await?;
    }
    Ok(())
}

/// Nobody can read any more who a member's orders were with; doing it again changes nothing.
///
/// # Errors
/// The database's.
pub async fn erase(app: &AppState, member: MemberId) -> AppResult<()> {
    app.keys.destroy(member.0, Purpose::Statutory).await?;
    order_contacts::forget(app.pool(), member).await?;
    Ok(())
}

/// Nobody can read any more who a guest's order was with; doing it again changes nothing.
///
/// # Errors
/// The database's.
pub async fn erase_guest(app: &AppState, order: OrderId) -> AppResult<()> {
    app.keys.destroy(order.0, Purpose::Statutory).await?;
    order_contacts::forget_order(app.pool(), order).await?;
    Ok(())
}
