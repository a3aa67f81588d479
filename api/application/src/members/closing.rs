//! Closes accounts and erases personal data.
//!
//! One append records that a member left, and releases their names. The follow-up steps (the profile key, carts, files, credentials,
//! products on sale) run right after it and, after a crash in between, by the policy `forgetting`: they are idempotent. The key of the
//! records of their orders is destroyed when their retention period ends, by a deadline.

use domain::catalogue::Product;
use domain::ids::{MemberId, OrderId, ProductId};
use domain::member::{Dealings, LeavingReason, LeavingWish, Member, MemberCommand, MemberType};
use domain::record::{Document, Record, RecordCommand, RecordError};
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Purpose};
use event_store::{SealContent, StreamId, TransactionStep};
use projections::state::{
    claim_pictures, erasure, files, order_contacts, search_rebuilds, stopped_addresses,
};
use projections::{order_timeline, orders, products, search_documents};
use serde_json::Value;
use sqlx::PgConnection;

use super::confirm::{Proof, confirm};
use super::names::{mail_hash, nickname_hash, username_hash};
use super::registration_documents::document_hash;
use crate::access::ACCESS_LIFE;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};
use crate::files::discard;
use crate::reservations::{DOCUMENT, EMAIL, NICKNAME, USERNAME};

/// Closes a member's own account, confirmed by the password; a repeated command is not confirmed again.
///
/// # Errors
/// `invalid` at `password`; `too_many_requests`; as [`close`].
pub async fn close_own(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    (password, reason): (String, Option<LeavingReason>),
) -> AppResult<CommandOutcome> {
    if app.executor.stored_outcome(command).await?.is_none()
        && confirm(app, member, Proof::Password(password))
            .await?
            .is_none()
    {
        let message = "비밀번호가 올바르지 않습니다.";
        return Err(AppError::invalid_field("password", "password", message));
    }
    close(app, command, member, reason, LeavingWish::Theirs).await
}

/// Closes an account.
///
/// # Errors
/// `not_found`; `not_allowed_now` while purchases are in progress; `access_denied` for staff, whose accounts are closed by staff.
pub async fn close(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    reason: Option<LeavingReason>,
    wish: LeavingWish,
) -> AppResult<CommandOutcome> {
    let reads = ClosingReads { app, member, wish };
    let close = |work: &mut UnitOfWork, found: Option<&ClosingFacts>| {
        work.plan_write::<Member>(member);
        let Some(found) = found else {
            return Ok(());
        };
        for document in &work.state::<Member>(member).documents {
            work.release(DOCUMENT, document_hash(&app.keys, *document), member);
        }
        let leave = MemberCommand::Leave {
            reason,
            wish,
            dealings: found.dealings,
        };
        let email_confirmed = work.state::<Member>(member).email_confirmed;
        work.decide::<Member>(member, leave)?;
        if let Some(names) = &found.names {
            work.release(USERNAME, names.username, member);
            work.release(NICKNAME, names.nickname, member);
            if email_confirmed {
                work.release(EMAIL, names.email, member);
            }
        }
        Ok(())
    };
    // Orders of their products, and by them, take the same lock until they are in the log.
    let locks = [StreamId::of::<Member>(member)];
    let _held = app.hold().await?;
    let done = app
        .executor
        .commit_with_step(command, &reads, locks, close)
        .await?;
    complete(app, member).await?;
    Ok(done)
}

/// Reads what closing depends on besides the member's events, under the lock: all orders placed before are in the log, and the read models
/// are waited for.
struct ClosingReads<'a> {
    app: &'a App,
    member: MemberId,
    wish: LeavingWish,
}

/// The result of [`ClosingReads`].
struct ClosingFacts {
    dealings: Dealings,
    /// None if the key was lost, and the names with it.
    names: Option<NameHashes>,
}

/// Keyed hashes of a member's sign-in name, nickname and e-mail address.
struct NameHashes {
    username: [u8; 32],
    nickname: [u8; 32],
    email: [u8; 32],
}

impl TransactionStep<AppError> for ClosingReads<'_> {
    type Output = ClosingFacts;

    async fn run(&self, _connection: &mut PgConnection) -> AppResult<ClosingFacts> {
        let Self { app, member, wish } = *self;
        let loaded = app.store.load::<Member>(&member.to_string()).await?;
        let sealed = loaded.state.profile.ok_or_else(AppError::not_found)?;
        let names = match app.keys.open(&sealed).await? {
            SealContent::Value(profile) => Some(NameHashes {
                username: username_hash(&app.keys, &profile.username),
                nickname: nickname_hash(&app.keys, &profile.nickname),
                email: mail_hash(&app.keys, &profile.email),
            }),
            SealContent::Erased => None,
        };
        let current = app
            .wait_until_current(&[orders::NAME, order_timeline::NAME])
            .await;
        let mut under_way = erasure::unfinished(app.pool(), member).await?;
        match (current, wish) {
            (Ok(()), _) => {}
            (Err(behind), LeavingWish::Theirs) => return Err(behind),
            // The latest orders are unknown: the records are kept as if an order were in progress.
            (Err(_), LeavingWish::Operators) => under_way = under_way.max(1),
        }
        Ok(ClosingFacts {
            dealings: Dealings {
                under_way,
                last: erasure::last_dealing(app.pool(), member).await?,
            },
            names,
        })
    }
}

/// Executes the follow-up steps of a closed account; idempotent.
///
/// # Errors
/// Disk and database errors.
pub async fn complete(app: &App, member: MemberId) -> AppResult<()> {
    let closed = app.store.load::<Member>(&member.to_string()).await?.state;
    if !closed.left {
        return Ok(());
    }
    app.keys.destroy(member.0, Purpose::Profile).await?;
    if closed.statutory_until.is_none() {
        erase_records(app, member).await?;
    }
    erasure::let_go(app.pool(), member, app.clock.now()).await?;
    app.revoked_sign_ins.changed().await;
    hide_products(app, member).await?;
    if search_documents::sells(app.pool(), member).await?
        && app
            .wait_until_current(&[search_documents::NAME])
            .await
            .is_ok()
    {
        // An engine keeps earlier words on disk, so the index is rebuilt: requested once, however often this is repeated, and only after
        // the documents lack the name, which would be indexed again otherwise.
        let target = &app.settings.search_target;
        search_rebuilds::ask(app.pool(), member.0, target, app.clock.now()).await?;
    }
    // Public files of sellers and staff belong to the shop; public files of persons, and pictures of reviews, belong to the member.
    let public_too = closed.member_type == MemberType::Person;
    for (file, hash) in files::of_owner(app.pool(), member, public_too).await? {
        discard::row(app, file, hash).await?;
    }
    Ok(())
}

/// Number of products hidden in one append.
const AT_ONCE: usize = 100;

/// Hides the products of a former seller. Orders of them are refused as soon as the account is closed; this is for pages and search, which
/// read the products. Staff may assign a product to another seller.
async fn hide_products(app: &App, member: MemberId) -> AppResult<()> {
    let events = app
        .store
        .read_stream(&StreamId::of::<Member>(member))
        .await?;
    let Some(left) = events.iter().find(|event| event.event_type == "MemberLeft") else {
        return Ok(());
    };
    let actor = Actor::Policy {
        name: "forgetting".to_owned(),
    };
    let command = CommandContext::for_actor("take-off-shelves", actor)
        .with_reason("판매자 탈퇴")
        .caused_by(left);
    let shown = products::shown_of(app.pool(), member).await?;
    for shown in shown.chunks(AT_ONCE) {
        app.executor
            .commit(&command, |work| {
                shown.iter().for_each(|product| hide(work, *product));
                Ok(())
            })
            .await?;
    }
    Ok(())
}

fn hide(work: &mut UnitOfWork, product: ProductId) {
    let hide = Document::from_iter([("shows".to_owned(), Value::Bool(false))]);
    match work.decide::<Record<Product>>(product, RecordCommand::Patch(hide)) {
        // Not found: it was removed meanwhile.
        Ok(_) | Err(RecordError::NotFound) => {}
        // Invalid by current rules: this must not keep the others on sale.
        Err(error) => {
            tracing::error!(%product, %error, "a product of a closed account cannot be hidden");
        }
    }
}

/// Completes recent closings again: access tokens issued before may have created rows for some minutes afterwards.
///
/// # Errors
/// Disk and database errors.
pub async fn sweep(app: &App) -> AppResult<()> {
    let since = app.clock.now() - 4 * ACCESS_LIFE;
    for member in erasure::left_since(app.pool(), since).await? {
        complete(app, member).await?;
    }
    Ok(())
}

/// Makes the parties of a member's orders unreadable; idempotent.
///
/// # Errors
/// Database errors.
pub async fn erase_records(app: &App, member: MemberId) -> AppResult<()> {
    app.keys.destroy(member.0, Purpose::Statutory).await?;
    order_contacts::forget(app.pool(), member).await?;
    claim_pictures::forget(app.pool(), member).await?;
    Ok(())
}

/// Makes the parties of a guest's order unreadable; idempotent.
///
/// # Errors
/// Database errors.
pub async fn erase_guest_records(app: &App, order: OrderId) -> AppResult<()> {
    app.keys.destroy(order.0, Purpose::Statutory).await?;
    order_contacts::forget_order(app.pool(), order).await?;
    claim_pictures::forget_order(app.pool(), order).await?;
    stopped_addresses::forget_guest(app.pool(), order).await?;
    Ok(())
}
