//! Bulk grants: who receives, ordering, stopping, and carrying out. The decisions are in [`domain::bulk_grant`].

use std::collections::{BTreeSet, HashMap};

use domain::Amount;
use domain::bulk_grant::{
    BulkGrant, BulkGrantCommand, CouponReach, RECEIVERS_MOST, order_coupon, order_points,
};
use domain::ids::{BulkGrantId, CouponId, MemberId};
use domain::member::MemberType;
use domain::sending::SendingCrowd;
use domain::unit_of_work::UnitOfWork;
use domain::validation::FieldError;
use projections::members::{self, MemberTarget};
use serde::Serialize;
use serde_json::{Value, json};
use time::Date;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};
use crate::members::names::username_hash;
use crate::reservations::USERNAME;

/// The members who are to receive something, in one of these ways.
#[derive(Clone, Debug)]
pub enum Receivers {
    /// By id.
    Members(Vec<MemberId>),
    /// By sign-in name.
    Usernames(Vec<String>),
    /// All who have one of these membership levels now.
    Levels(Vec<String>),
    /// All of this type.
    Type(MemberType),
    /// All members.
    All,
}

/// Points for many members.
#[derive(Clone, Debug)]
pub struct PointsOrder {
    /// The grant.
    pub grant: BulkGrantId,
    /// Who receives.
    pub receivers: Receivers,
    /// What each gets, hundredths.
    pub amount: Amount,
    /// The last day on which it can be used; none: as long as any grant lives.
    pub last_day: Option<Date>,
    /// The reason shown to them.
    pub memo: String,
}

/// A coupon for many members.
#[derive(Clone, Debug)]
pub struct CouponOrder {
    /// The grant.
    pub grant: BulkGrantId,
    /// Who receives.
    pub receivers: Receivers,
    /// Its definition.
    pub coupon: CouponId,
    /// The reason shown to them.
    pub memo: String,
}

/// What an order of points would give.
#[derive(Clone, Copy, Debug)]
pub struct OrderPreview {
    /// Receivers.
    pub members: usize,
    /// To all of them, hundredths.
    pub total: Amount,
}

impl Receivers {
    /// The field of the form.
    const fn field(&self) -> &'static str {
        match self {
            Self::Members(_) => "_users",
            Self::Usernames(_) => "usernames",
            Self::Levels(_) => "levels",
            Self::Type(_) => "userType",
            Self::All => "all",
        }
    }

    /// How they were named, as it is recorded.
    pub fn target(&self) -> String {
        match self {
            Self::Members(_) | Self::Usernames(_) => "MEMBERS".to_owned(),
            Self::Levels(codes) => format!("LEVEL:{}", codes.join(",")),
            Self::Type(member_type) => format!("TYPE:{}", member_type.code()),
            Self::All => "ALL".to_owned(),
        }
    }

    /// What a target says that names no single members; none of another one.
    pub fn of_target(target: &str) -> Option<MemberTarget> {
        let mut found = MemberTarget::default();
        if let Some(codes) = target.strip_prefix("LEVEL:") {
            found.levels = Some(codes.split(',').map(str::to_owned).collect());
        } else if let Some(code) = target.strip_prefix("TYPE:") {
            found.member_type = Some(serde_json::from_value(code.into()).ok()?);
        } else if target != "ALL" {
            return None;
        }
        Some(found)
    }

    /// Of a target that names no single members: its size, if it has more than a list may hold.
    ///
    /// # Errors
    /// `unknown_members` for levels that do not exist.
    pub async fn crowd(&self, app: &App) -> AppResult<Option<SendingCrowd>> {
        if let Self::Levels(codes) = self {
            let rules = app.pricing_rules.rules(&app.store, &[]).await?;
            self.all_of(codes, |code| rules.rank(code))?;
        }
        let Some(target) = Self::of_target(&self.target()) else {
            return Ok(None);
        };
        let size = members::target_size(app.pool(), &target).await?;
        Ok(size.and_then(|(count, last)| {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            let is_crowd = usize::try_from(count).is_ok_and(|many| many > RECEIVERS_MOST);
            is_crowd.then_some(SendingCrowd { count, last })
        }))
    }

    /// The members with open accounts, each once, in the order in which they were named.
    ///
    /// # Errors
    /// `unknown_members`, with the place of each in `details`; `invalid` for none and for too many.
    pub async fn find(&self, app: &App) -> AppResult<Vec<MemberId>> {
        let found = match self {
            Self::Members(ids) => {
                let rows = members::members(app.pool(), ids).await?;
                let open = rows.into_iter().filter(|row| row.left_at.is_none());
                let open: BTreeSet<MemberId> = open.map(|row| row.id).collect();
                self.all_of(ids, |id| open.contains(id).then_some(*id))?
            }
            Self::Usernames(names) => {
                let hashes: Vec<[u8; 32]> = names
                    .iter()
                    .map(|name| username_hash(&app.keys, name))
                    .collect();
                let held = app.store.holders(USERNAME, &hashes).await?;
                let named: HashMap<&String, &[u8; 32]> = names.iter().zip(&hashes).collect();
                self.all_of(names, |name| held.get(*named.get(name)?)?.parse().ok())?
            }
            Self::Levels(codes) => {
                let rules = app.pricing_rules.rules(&app.store, &[]).await?;
                self.all_of(codes, |code| rules.rank(code))?;
                members::with_levels(app.pool(), codes).await?
            }
            Self::Type(member_type) => {
                members::open_members(app.pool(), Some(*member_type)).await?
            }
            Self::All => members::open_members(app.pool(), None).await?,
        };
        let mut seen = BTreeSet::new();
        let once: Vec<MemberId> = found.into_iter().filter(|id| seen.insert(*id)).collect();
        let field = self.field();
        match once.len() {
            0 => Err(AppError::invalid_field(
                field,
                "receivers_required",
                "받을 회원이 없습니다.",
            )),
            many if many > RECEIVERS_MOST => {
                Err(AppError::invalid_field(field, "too_many", TOO_MANY_MESSAGE))
            }
            _ => Ok(once),
        }
    }

    /// What `find` finds of each; an error that names those it does not find.
    fn all_of<T: Serialize, R>(
        &self,
        named: &[T],
        find: impl Fn(&T) -> Option<R>,
    ) -> AppResult<Vec<R>> {
        let found: Vec<Option<R>> = named.iter().map(find).collect();
        let unknown: Vec<Value> = named
            .iter()
            .zip(&found)
            .enumerate()
            .filter(|(_, (_, found))| found.is_none())
            .map(|(index, (value, _))| json!({ "index": index, "value": value }))
            .collect();
        if unknown.is_empty() {
            return Ok(found.into_iter().flatten().collect());
        }
        let code = Code::UnknownMembers;
        let field = FieldError::new(self.field(), code.as_str(), code.message());
        Err(AppError::new(code)
            .with_fields(vec![field])
            .with_details(json!({ "unknown": unknown })))
    }
}

/// Prompt where there are more receivers than one order may have.
pub const TOO_MANY_MESSAGE: &str = "한 번에 10,000명까지 선택할 수 있습니다.";

/// Orders points for many members; the worker gives them. The result is the grant.
///
/// # Errors
/// As [`Receivers::find`]; `invalid` at `amounts` or `expiresAt`.
pub async fn order(
    app: &App,
    command: &CommandContext,
    order: &PointsOrder,
) -> AppResult<CommandOutcome> {
    let members = match order.receivers.find(app).await {
        Ok(members) => members,
        Err(refusal) => return app.executor.stored_outcome_or(command, refusal).await,
    };
    let decide = |work: &mut UnitOfWork| decided(work, order, &members);
    app.executor.commit(command, decide).await
}

/// What an order would give, without ordering it.
///
/// # Errors
/// As [`order`].
pub async fn preview(
    app: &App,
    command: &CommandContext,
    order: &PointsOrder,
) -> AppResult<OrderPreview> {
    let members = order.receivers.find(app).await?;
    let decide = |work: &mut UnitOfWork| decided(work, order, &members);
    let actor = command.actor().clone();
    app.executor.preview(actor, decide).await?;
    let each = std::iter::repeat_n(order.amount, members.len());
    Ok(OrderPreview {
        members: members.len(),
        total: Amount::total(each)?,
    })
}

/// Orders a coupon for many members; the worker gives it. The result is the grant.
///
/// # Errors
/// As [`Receivers::find`]; `invalid` at `_coupon`; `coupon_expired`, `coupon_used_up`.
pub async fn order_coupons(
    app: &App,
    command: &CommandContext,
    order: &CouponOrder,
) -> AppResult<CommandOutcome> {
    let members = match order.receivers.find(app).await {
        Ok(members) => members,
        Err(refusal) => return app.executor.stored_outcome_or(command, refusal).await,
    };
    let decide = |work: &mut UnitOfWork| {
        coupons_decided(work, order, &members)?;
        Ok(order.grant)
    };
    app.executor.commit(command, decide).await
}

/// How many would receive a coupon, and how many of them it reaches, without ordering it.
///
/// # Errors
/// As [`order_coupons`].
pub async fn preview_coupons(
    app: &App,
    command: &CommandContext,
    order: &CouponOrder,
) -> AppResult<(usize, CouponReach)> {
    let members = order.receivers.find(app).await?;
    let decide = |work: &mut UnitOfWork| coupons_decided(work, order, &members);
    let reach = app
        .executor
        .preview(command.actor().clone(), decide)
        .await?;
    Ok((members.len(), reach))
}

fn coupons_decided(
    work: &mut UnitOfWork,
    order: &CouponOrder,
    members: &[MemberId],
) -> AppResult<CouponReach> {
    let memo = order.memo.clone();
    Ok(order_coupon(
        work,
        order.grant,
        order.coupon,
        members.to_vec(),
        memo,
    )?)
}

fn decided(
    work: &mut UnitOfWork,
    order: &PointsOrder,
    members: &[MemberId],
) -> AppResult<BulkGrantId> {
    let what = (order.amount, order.last_day);
    order_points(
        work,
        order.grant,
        what,
        members.to_vec(),
        order.memo.clone(),
    )?;
    Ok(order.grant)
}

/// Stops a bulk grant, or writes a note on it.
///
/// # Errors
/// `not_found`; `not_allowed_now` for one that was stopped.
pub async fn change(
    app: &App,
    command: &CommandContext,
    grant: BulkGrantId,
    change: BulkGrantCommand,
) -> AppResult<CommandOutcome> {
    app.executor
        .execute::<BulkGrant>(command, grant, change)
        .await
}
