//! Refund lists.

use std::collections::BTreeMap;

use domain::Amount;
use domain::ids::{RefundId, derived_id};
use domain::order::{Claim, ClaimState};
use domain::payment::{Refund, RefundStage};
use projections::Page;
use projections::refunds::{OwedRefund, RefundList, owed_refunds};
use uuid::Uuid;

use crate::rows::{lived, run_to};
use crate::shop::Shop;

/// Amounts by claim, or by refund where there is no claim.
type Owed = BTreeMap<Uuid, Amount>;

/// Expected by the aggregates: the refunds at this stage with their claims, and the claims that owe money without a refund.
fn wanted(shop: &Shop, list: RefundList) -> Owed {
    let refunds: BTreeMap<Uuid, Refund> = shop
        .payments
        .values()
        .flat_map(|payment| &payment.refunds)
        .map(|refund| (refund.id.0, *refund))
        .collect();
    let is_listed = |refund: &Refund| match list {
        RefundList::Due => refund.stage == RefundStage::Requested,
        RefundList::Unknown => refund.stage == RefundStage::Unknown,
        RefundList::Refused => refund.stage == RefundStage::Refused,
        RefundList::Redirected => refund.by_transfer,
    };
    let claims: Vec<&Claim> = shop
        .orders
        .values()
        .flat_map(|order| &order.claims)
        .collect();
    let refund_of = |claim: &Claim| match claim.state {
        ClaimState::Approved { refund } | ClaimState::Completed { refund } => refund,
        // an exchange for a cheaper option
        _ => {
            let id = RefundId(derived_id(&format!("difference {}", claim.id)));
            refunds.contains_key(&id.0).then_some(id)
        }
    };
    let mut owed = Owed::new();
    for claim in &claims {
        let money = claim.refund.of_order().unwrap();
        let made = refund_of(claim).and_then(|id| refunds.get(&id.0));
        let is_back = claim
            .collection
            .as_ref()
            .is_none_or(|goods| goods.inspection.is_some());
        let waits = claim.state == ClaimState::Requested && is_back && !money.is_zero();
        // a decision that requests no refund immediately leaves its claim owing
        let approved = matches!(claim.state, ClaimState::Approved { .. }) && made.is_none();
        let approved = approved && !money.is_zero();
        let is_due = list == RefundList::Due && (waits || approved);
        if is_due || made.is_some_and(is_listed) {
            owed.insert(claim.id.0, money);
        }
    }
    // what staff send back because no payment took it
    for claim in &claims {
        let sent = claim
            .exchange()
            .filter(|its| its.fee_refund_reference.is_some());
        let due = claim.fee_to_transfer().map(|(_, amount)| amount);
        let listed = match list {
            RefundList::Due => due,
            RefundList::Redirected => sent.and_then(|its| its.fee_received),
            RefundList::Unknown | RefundList::Refused => None,
        };
        owed.extend(listed.map(|amount| (claim.id.0, amount)));
    }
    for refund in refunds.values().filter(|refund| is_listed(refund)) {
        let is_claimed = claims
            .iter()
            .any(|claim| refund_of(claim) == Some(refund.id));
        if !is_claimed {
            owed.insert(refund.id.0, refund.amount);
        }
    }
    owed
}

async fn found(shop: &Shop, list: RefundList) -> Vec<OwedRefund> {
    let pool = shop.store.pool();
    let mut all = Vec::new();
    let mut total = 1;
    while all.len() < total {
        let page = Page::new(i64::try_from(all.len()).ok(), Some(7));
        let found = owed_refunds(pool, list, page).await.unwrap();
        total = usize::try_from(found.total_count).unwrap();
        assert!(!found.rows.is_empty() || total == 0, "{list:?}");
        all.extend(found.rows);
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn finance_lists_what_the_ledgers_owe() {
    let mut shop = lived(41, 300).await;
    shop.live_to_see(&[
        "FeeRefundTransferred",
        "RefundUnknown",
        "RefundRefused",
        "RefundTransferred",
    ])
    .await;
    let lists = [
        RefundList::Due,
        RefundList::Unknown,
        RefundList::Refused,
        RefundList::Redirected,
    ];
    shop.live_until(|shop| {
        let empty = lists
            .iter()
            .filter(|list| wanted(shop, **list).is_empty())
            .map(|list| format!("{list:?}"));
        empty.collect()
    })
    .await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    for list in lists {
        let rows = found(&shop, list).await;
        let claims = || shop.orders.values().flat_map(|order| &order.claims);
        let others = claims().flat_map(|claim| &claim.refund.others);
        let fees = claims().filter_map(Claim::exchange);
        let fees = fees.filter_map(|its| its.fee_payment.and(its.fee_refund));
        let others: Vec<_> = others.map(|other| other.refund).chain(fees).collect();
        let key = |row: &OwedRefund| match (row.claim, row.refund) {
            (Some(_), Some(refund)) if others.contains(&refund) => refund.0,
            (Some(claim), _) => claim.0,
            (None, refund) => refund.unwrap().0,
        };
        let owed: Owed = rows.iter().map(|row| (key(row), row.amount)).collect();
        assert_eq!(owed.len(), rows.len(), "{list:?}: each once");
        assert_eq!(owed, wanted(&shop, list), "{list:?}");
        for row in &rows {
            let order = &shop.orders[&row.order];
            assert_eq!(row.order_no, order.terms().unwrap().order_no);
            assert_eq!(row.refusal_code.is_some(), row.refusal_message.is_some());
            assert_eq!(row.reference.is_some(), list == RefundList::Redirected);
            assert!(list != RefundList::Refused || row.refusal_code.is_some());
        }
        let times: Vec<_> = rows.iter().map(|row| row.since).collect();
        assert!(list == RefundList::Redirected || times.is_sorted());
    }
}
