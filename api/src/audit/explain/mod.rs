//! Explains amounts: the events and rules that contributed to an amount, which add up to it exactly.
//!
//! Explanations are derived from the log alone, and nothing is computed by a second implementation: prices are explained by the pricing
//! code itself (`domain::pricing::explained`), balances by the effect of each event on the aggregate's state. An explanation that does not
//! add up is never shown.

mod coupon;
mod ledger;
mod order;
mod points;
mod stock;
mod words;

use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use self::ledger::Book;
use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// Entities with amounts that can be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Explainable {
    /// An order, by id or number.
    Order,
    /// An issued coupon, or a limited campaign, by id.
    Coupon,
    /// The points of a member, by id or sign-in name.
    Points,
    /// A stock, by the id of its product or option.
    Stock,
}

/// Unit of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Money or points, hundredths.
    Amount,
    /// Quantity of goods.
    Pieces,
    /// Coupons.
    Coupons,
}

/// A point in the log.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// After everything up to this position.
    pub position: i64,
    /// The time at that position, which determines what has expired.
    pub time: OffsetDateTime,
}

impl Moment {
    /// The present, with the current time.
    pub fn now(app: &AppState) -> Self {
        Self {
            position: i64::MAX,
            time: app.clock.now(),
        }
    }

    /// After everything up to a position.
    ///
    /// # Errors
    /// Database errors.
    pub async fn at(app: &AppState, position: i64) -> AppResult<Self> {
        let before = position.saturating_sub(1);
        let there = app.store.read_all(before, position, 1).await?;
        Ok(Self {
            position,
            time: match there.first() {
                Some(event) => event.metadata.occurred_at,
                None => app.clock.now(),
            },
        })
    }
}

/// An amount that can be explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NamedAmount {
    /// Its name, e.g. `payable`, `purchases.20261121-7KD2M9QX-1.paid`, `available`.
    pub name: String,
    /// Its label.
    pub label: String,
    /// Its unit.
    pub unit: Unit,
    /// Its value.
    pub value: i64,
    /// Text for values that are not self-explanatory (a coupon's state).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
}

/// A contribution to an amount, positive or negative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Contribution {
    /// Description with the rule; amounts in it are in braces, in hundredths: `{12345}의 10%`.
    pub text: String,
    /// Number of the rule in the specification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<String>,
    /// The contributed amount; negative if it was subtracted.
    pub amount: i64,
    /// The running total.
    pub result: i64,
    /// Position of the event that contributed it; left out if only time has passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<i64>,
    /// Position of the event that defined the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<i64>,
    /// Name of another amount of the same entity, which can be explained too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explains: Option<String>,
}

/// An amount and its contributions.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The amount.
    pub amount: NamedAmount,
    /// The contributions in the order of the calculation; they add up to the amount.
    pub contributions: Vec<Contribution>,
    /// The events referred to, in log order.
    pub events: Vec<StoredEvent>,
}

/// All amounts of an entity that can be explained.
///
/// # Errors
/// `not_found`, also if it did not exist yet; database errors.
pub async fn amounts(
    app: &AppState,
    of: Explainable,
    id: &str,
    moment: Moment,
) -> AppResult<Vec<NamedAmount>> {
    match of {
        Explainable::Order => order::amounts(app, id, moment).await,
        Explainable::Coupon => {
            let book = coupon::CouponBox::open(app, id, moment).await?;
            values(book.names(), |name| book.explain(name))
        }
        Explainable::Points => {
            let book = points::Lots::open(app, id, moment).await?;
            values(book.names(), |name| book.explain(name))
        }
        Explainable::Stock => {
            let book = stock::Pile::open(app, id, moment).await?;
            values(book.names(), |name| book.explain(name))
        }
    }
}

fn values(
    names: Vec<String>,
    explain: impl Fn(&str) -> AppResult<Explanation>,
) -> AppResult<Vec<NamedAmount>> {
    let value = |name: String| explain(&name).map(|explained| explained.amount);
    names.into_iter().map(value).collect()
}

/// The explanation of an amount.
///
/// # Errors
/// `not_found` for an unknown entity or amount; database errors.
pub async fn explain(
    app: &AppState,
    of: Explainable,
    id: &str,
    amount: &str,
    moment: Moment,
) -> AppResult<Explanation> {
    match of {
        Explainable::Order => order::explain(app, id, amount, moment).await,
        Explainable::Coupon => coupon::CouponBox::open(app, id, moment)
            .await?
            .explain(amount),
        Explainable::Points => points::Lots::open(app, id, moment).await?.explain(amount),
        Explainable::Stock => stock::Pile::open(app, id, moment).await?.explain(amount),
    }
}

/// The explanations of all amounts of an order; the order is priced again only once.
///
/// # Errors
/// As [`explain`].
pub async fn whole_order(app: &AppState, id: &str) -> AppResult<Vec<Explanation>> {
    order::whole(app, id, Moment::now(app)).await
}

/// An explanation as text; without an amount, the list of amounts.
///
/// # Errors
/// The entity or amount does not exist.
pub async fn explanation_text(
    app: &AppState,
    of: Explainable,
    id: &str,
    amount: Option<&str>,
) -> anyhow::Result<String> {
    let no_such = |error| anyhow::anyhow!("no {of:?} {id} {}: {error}", amount.unwrap_or_default());
    let now = Moment::now(app);
    let Some(amount) = amount else {
        let all = amounts(app, of, id, now).await.map_err(no_such)?;
        let line = |one: &NamedAmount| {
            let value = words::number(one.unit, one.value);
            let shown = one.says.as_ref().unwrap_or(&value);
            format!("{}  {}  {shown}", one.name, one.label)
        };
        return Ok(all.iter().map(line).collect::<Vec<_>>().join("\n"));
    };
    let explained = explain(app, of, id, amount, now).await.map_err(no_such)?;
    let unit = explained.amount.unit;
    let mut lines = vec![format!(
        "{}  {}",
        explained.amount.name, explained.amount.label
    )];
    for one in &explained.contributions {
        let mut why: Vec<String> = Vec::new();
        why.extend(one.spec.clone());
        why.extend(one.event.map(|at| format!("#{at}")));
        why.extend(one.source.map(|at| format!("규칙 #{at}")));
        why.extend(one.explains.clone());
        lines.push(format!(
            "  {:>14}  {:>14}  {}  [{}]",
            words::number(unit, one.amount),
            words::number(unit, one.result),
            words::plain(&one.text),
            why.join(" · ")
        ));
    }
    lines.push(format!("= {}", words::number(unit, explained.amount.value)));
    Ok(lines.join("\n"))
}

fn unknown<T>() -> AppResult<T> {
    Err(AppError::not_found())
}
