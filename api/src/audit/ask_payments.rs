//! `jangbu verify --ask-payments`: queries the payment gateway for the order and the state of every transaction. The log alone cannot prove
//! which of two payments a transaction belongs to, or that a payment was never charged.

use std::num::NonZeroU32;
use std::time::Duration;

use domain::payment::{Payment, PaymentEvent, PaymentStage};
use event_store::Store;
use integrations::payment::codes::is_unknown_transaction;
use integrations::payment::{Answer, Outcome, PaymentGateway};
use projections::verify::Difference;
use serde_json::Value;
use tokio::time::{Interval, MissedTickBehavior, interval, sleep};

/// Name under which differences are reported.
pub const MODEL: &str = "payment service";
/// Events per read.
const PAGE: i64 = 1_000;
/// Attempts to query one transaction before the run is aborted.
const TRIES: u32 = 5;
/// The pause after the first try; it doubles each time.
const PAUSE: Duration = Duration::from_millis(500);

/// The transactions to query, and the rate limit.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Events after this position.
    pub after: i64,
    /// Up to and including this one.
    pub up_to: i64,
    /// Maximum queries per second: the gateway has limits too.
    pub a_second: NonZeroU32,
}

/// Progress of the queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The position reached.
    pub position: i64,
    /// The last position to reach.
    pub up_to: i64,
    /// Transactions queried so far.
    pub asked: u64,
    /// Whether no difference was found so far, so that another run may start here.
    pub clean: bool,
}

/// Queries every recorded transaction, oldest first; returns the differences from the log.
///
/// # Errors
/// Database errors; a gateway that does not respond. `each` receives the progress.
pub async fn run(
    store: &Store,
    gateway: &dyn PaymentGateway,
    range: Range,
    mut each: impl FnMut(Step),
) -> anyhow::Result<Vec<Difference>> {
    let mut pace = interval(Duration::from_secs(1) / range.a_second.get());
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut differences = Vec::new();
    let (mut at, mut asked) = (range.after, 0_u64);
    while at < range.up_to {
        let page = store
            .read_kinds(&["payment"], at, range.up_to, PAGE)
            .await?;
        for event in &page {
            if let PaymentEvent::PaymentApproved { tid, .. }
            | PaymentEvent::VirtualAccountIssued { tid, .. } = event.event::<Payment>()?
            {
                let answer = ask(gateway, &tid, &mut pace).await?;
                let payment = store.load::<Payment>(&event.stream.id).await?.state;
                let found = compare(&payment, &event.stream.id, &tid, answer.as_deref());
                differences.extend(found);
                asked = asked.saturating_add(1);
                each(Step {
                    position: event.position,
                    up_to: range.up_to,
                    asked,
                    clean: differences.is_empty(),
                });
            }
            at = event.position;
        }
        if page.is_empty() {
            break;
        }
    }
    Ok(differences)
}

/// The gateway's response about a transaction; none if it does not know it.
async fn ask(
    gateway: &dyn PaymentGateway,
    tid: &str,
    pace: &mut Interval,
) -> anyhow::Result<Option<Box<Answer>>> {
    let mut tries = 1;
    loop {
        pace.tick().await;
        match gateway.query(tid).await {
            Outcome::Done(answer) => return Ok(Some(answer)),
            Outcome::Refused { code, .. } if is_unknown_transaction(&code) => return Ok(None),
            failed if tries >= TRIES => {
                anyhow::bail!(
                    "the payment service does not say whose {tid} is ({failed:?}); \
                     `jangbu verify --ask-payments --resume` goes on from there"
                )
            }
            _ => sleep(PAUSE.saturating_mul(2_u32.saturating_pow(tries - 1))).await,
        }
        tries += 1;
    }
}

fn compare(payment: &Payment, id: &str, tid: &str, answer: Option<&Answer>) -> Vec<Difference> {
    let Some(started) = &payment.started else {
        return Vec::new();
    };
    let mut differences = Vec::new();
    let mut differs = |what: &str, expected: Value, found: Value| {
        if expected != found {
            differences.push(Difference {
                model: MODEL.to_owned(),
                key: format!("{what} of {tid}, payment {id}"),
                expected,
                found,
            });
        }
    };
    let own = started.gateway_order_id();
    differs(
        "order",
        own.as_str().into(),
        answer.map(|answer| answer.order_id.clone()).into(),
    );
    let Some(answer) = answer.filter(|answer| answer.order_id == own) else {
        return differences;
    };
    if payment.stage == PaymentStage::Approved {
        let charged = answer.paid_at.map(|_| answer.amount.hundredths());
        let approved = payment.approved.hundredths();
        differs("amount", approved.into(), charged.into());
        let refunded = payment
            .refunded_by_gateway()
            .unwrap_or_default()
            .hundredths();
        let given_back = answer.amount.hundredths() - answer.balance.hundredths();
        if given_back < refunded {
            differs("refunds", refunded.into(), given_back.into());
        }
    }
    differences
}
