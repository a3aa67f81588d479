//! `jangbu verify --ask-payments`: asks the payment service, transaction by transaction, whose order it is and what came of its
//! money. The log alone cannot tell which of two payments a transaction belongs to, nor that one was never charged.

use std::num::NonZeroU32;
use std::time::Duration;

use domain::payment::{Payment, PaymentEvent, PaymentStage};
use event_store::Store;
use integrations::payment::codes::is_unknown_transaction;
use integrations::payment::{Answer, Outcome, PaymentGateway};
use projections::verify::Difference;
use serde_json::Value;
use tokio::time::{Interval, MissedTickBehavior, interval, sleep};

/// What differences are reported under.
pub const MODEL: &str = "payment service";
/// Events read at a time.
const PAGE: i64 = 1_000;
/// How often the service is asked about one transaction before the whole is cut off.
const TRIES: u32 = 5;
/// The pause after the first try; it doubles each time.
const PAUSE: Duration = Duration::from_millis(500);

/// Which transactions, and how fast.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// StoredEvent after this position.
    pub after: i64,
    /// Up to and including this one.
    pub up_to: i64,
    /// Questions a second at most: the service limits them too.
    pub a_second: NonZeroU32,
}

/// How far the asking is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The position asked up to.
    pub position: i64,
    /// The last position there is to ask about.
    pub up_to: i64,
    /// Transactions asked about so far.
    pub asked: u64,
    /// Nothing was wrong so far, so another run may begin here.
    pub clean: bool,
}

/// Asks about every recorded transaction, oldest first; answers what is not as the log says.
///
/// # Errors
/// The database's; a service that does not answer. `each` knows how far it came.
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

/// What the service says of a transaction; none if it has no such one.
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
