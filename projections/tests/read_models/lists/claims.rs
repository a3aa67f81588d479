//! Claims, and their effect on lists and sales.

use std::collections::{BTreeMap, BTreeSet};

use domain::Amount;
use domain::ids::MemberId;
use domain::order::{Claim, ClaimState, Order, Purchase, Reader};
use domain::user_payment::{UserPaymentState, exchange_fee_id};
use projections::mask::MASK;
use projections::orders::{
    ConsoleFilter, OrderDetail, OrderView, SalesFilter, bests, console_purchases, order,
    sales_in_all,
};
use projections::state::erasure::unfinished;
use time::{Duration, OffsetDateTime};

use super::{ALL, purchases};
use crate::rows::{lived, run_to};
use crate::shop::{SECRET, Shop};

/// Events of claims.
const HAPPENS: [&str; 25] = [
    "PurchaseSplit",
    "CancelRequested",
    "CancelApproved",
    "CancelRejected",
    "CancelCompleted",
    "ReturnRequested",
    "GoodsPickedUp",
    "GoodsInspected",
    "ReturnApproved",
    "ReturnRejected",
    "GoodsSentBack",
    "ReturnCompleted",
    "ExchangeRequested",
    "ExchangeAccepted",
    "ExchangeRejected",
    "ExchangeFeeReceived",
    "ExchangeFeeWaived",
    "ReplacementShipped",
    "ReplacementDelayed",
    "ExchangeCompleted",
    "ClaimWithdrawn",
    "StockWrittenOff",
    "UserPaymentRequested",
    "UserPaymentCompleted",
    "UserPaymentCanceled",
];

/// A shop where claims ended in every way, one covers goods of several sellers, and some are at these stages.
pub async fn claimed(seed: u64, under_way: &[&str]) -> Shop {
    let mut shop = lived(seed, 200).await;
    shop.live_to_see(&HAPPENS).await;
    let ended = [
        "CANCEL COMPLETED",
        "CANCEL REJECTED",
        "CANCEL WITHDRAWN",
        "RETURN COMPLETED",
        "RETURN REJECTED",
        "RETURN WITHDRAWN",
        "EXCHANGE COMPLETED",
        "EXCHANGE REJECTED",
        "EXCHANGE WITHDRAWN",
    ];
    let texts =
        |all: &[&str]| -> BTreeSet<String> { all.iter().map(ToString::to_string).collect() };
    let all = |shop: &Shop| -> Vec<(Order, Claim)> {
        let orders = shop.orders.values();
        let of = |order: &Order| {
            order
                .claims
                .clone()
                .into_iter()
                .map(|one| (order.clone(), one))
                .collect::<Vec<_>>()
        };
        orders.flat_map(of).collect()
    };
    let stages = |shop: &Shop| -> BTreeSet<String> {
        let claims = all(shop);
        claims
            .iter()
            .map(|(_, one)| ClaimStage::of(one).to_string())
            .collect()
    };
    let ended = texts(&ended);
    shop.live_until(|shop| {
        let shared = all(shop)
            .iter()
            .any(|(order, one)| order.is_of_several_sellers(one));
        let several = (!shared).then(|| "a claim on goods of several sellers".to_owned());
        let is_by_card =
            |(_, one): &(Order, Claim)| matches!(one.received_fee(), Some((_, Some(_))));
        let by_card = all(shop).iter().any(is_by_card);
        let by_card = (!by_card).then(|| "a fee that was paid by card".to_owned());
        ended
            .difference(&stages(shop))
            .cloned()
            .chain(several)
            .chain(by_card)
            .collect()
    })
    .await;
    let under_way = texts(under_way);
    shop.claim_until(|shop| under_way.difference(&stages(shop)).cloned().collect())
        .await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    shop
}

/// Runs until a delivered purchase can be split.
pub async fn until_divisible(shop: &mut Shop) {
    shop.live_until(|shop| {
        let can = purchases(shop).any(|(_, order, one)| {
            let line = order.purchase_terms(&one.purchase_no).unwrap();
            one.purchase_status.code() == "PURCHASE_SCHEDULE" && line.quantity > 1
        });
        let missing = (!can).then(|| "a delivered purchase of two pieces".to_owned());
        missing.into_iter().collect()
    })
    .await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
}

/// Kind and stage of a claim, as on the wire.
pub struct ClaimStage {
    kind: &'static str,
    pub stage: &'static str,
}

impl ClaimStage {
    pub fn of(claim: &Claim) -> Self {
        Self {
            kind: match &claim.collection {
                Some(goods) if goods.exchange.is_some() => "EXCHANGE",
                Some(_) => "RETURN",
                None => "CANCEL",
            },
            stage: match claim.state {
                ClaimState::Requested => "REQUESTED",
                ClaimState::Approved { .. } => "APPROVED",
                ClaimState::Rejected { .. } => "REJECTED",
                ClaimState::Completed { .. } | ClaimState::Exchanged => "COMPLETED",
                ClaimState::Accepted => "ACCEPTED",
                ClaimState::Withdrawn => "WITHDRAWN",
            },
        }
    }
}

impl std::fmt::Display for ClaimStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.kind, self.stage)
    }
}

fn sellers(order: &Order) -> BTreeSet<MemberId> {
    order.purchases.iter().map(|one| one.seller).collect()
}

/// The purchase numbers of a claim that belong to this seller.
fn own(order: &Order, claim: &Claim, seller: MemberId) -> Vec<String> {
    let is_own = |no: &&String| order.purchase(no).unwrap().seller == seller;
    claim.purchase_nos.iter().filter(is_own).cloned().collect()
}

/// The claims of a detail are those of the order that concern its reader.
fn assert_claims(shop: &Shop, order: &Order, detail: &OrderDetail, reader: Reader) {
    let seen = |claim: &Claim| match reader {
        Reader::Seller(seller) => own(order, claim, seller),
        Reader::Buyer | Reader::Staff => claim.purchase_nos.clone(),
    };
    let wanted: Vec<(&Claim, Vec<String>)> = order
        .claims
        .iter()
        .map(|claim| (claim, seen(claim)))
        .filter(|(_, nos)| !nos.is_empty())
        .collect();
    let told: Vec<_> = detail.claims.iter().map(|claim| claim.id).collect();
    let ids: Vec<_> = wanted.iter().map(|(claim, _)| claim.id).collect();
    assert_eq!(told, ids, "{reader:?}");
    for (view, (claim, nos)) in detail.claims.iter().zip(&wanted) {
        let at = ClaimStage::of(claim);
        let wire = serde_json::to_value(view).unwrap();
        assert_eq!(wire["kind"], at.kind);
        assert_eq!(wire["state"], at.stage);
        assert_eq!(wire["by"], serde_json::to_value(claim.by).unwrap());
        assert_eq!(&view.purchase_nos, nos);
        let text = wire.to_string();
        assert!(!text.contains(SECRET), "{text}");
        assert_eq!(view.sealed_reason.is_some(), view.reason == MASK);
        assert_eq!(wire["rejection"].is_string(), at.stage == "REJECTED");
        let goods = claim.collection.as_deref();
        assert_eq!(
            view.sealed_pickup.as_ref(),
            goods.map(|goods| &goods.pickup)
        );
        assert_eq!(
            view.fault.map(|fault| fault.code()),
            goods.map(|goods| goods.fault.code())
        );
        let parcel = goods.and_then(|goods| goods.invoice.as_ref());
        assert_eq!(
            view.invoice.as_ref().map(|one| &one.invoice_no),
            parcel.map(|one| &one.invoice_no)
        );
        if let Some(parcel) = &view.invoice {
            let url = parcel.tracking_url.as_ref().unwrap();
            assert!(url.contains("hanjin") && url.ends_with(&parcel.invoice_no));
        }
        assert_eq!(
            wire["sentBack"].is_object(),
            goods.is_some_and(|goods| goods.sent_back.is_some())
        );
        assert_eq!(view.inspection, goods.and_then(|goods| goods.inspection));
        // a seller learns nothing about goods of others
        let whole = nos.len() == claim.purchase_nos.len();
        let is_exchange = claim.exchange().is_some();
        assert_eq!(view.refund.is_some(), whole && !is_exchange);
        assert_eq!(view.exchange.is_some(), is_exchange);
        if let Some((seen, exchange)) = view.exchange.as_ref().zip(claim.exchange()) {
            assert_eq!(seen.option_name, exchange.replacement.option_name);
            let is_paid = exchange.fee_received.is_some() && exchange.fee_refund.is_none();
            assert_eq!(seen.fee_paid, is_paid);
            assert_eq!(seen.difference, exchange.difference);
            if exchange.invoice.is_some() {
                assert_eq!(Ok(seen.difference_back), claim.difference_given());
            }
            let asked = shop.user_payments.get(&exchange_fee_id(claim.id));
            let told = asked.map(|asked| {
                let terms = asked.terms.as_ref().unwrap();
                let payment = match asked.state {
                    UserPaymentState::Completed { payment }
                    | UserPaymentState::Refunded { payment } => payment,
                    _ => None,
                };
                let status = asked.status().unwrap();
                let (id, number) = (exchange_fee_id(claim.id), terms.number.clone());
                (id, number, status, terms.amount, payment)
            });
            let pay = seen.pay.clone();
            let pay = pay.map(|pay| (pay.id, pay.number, pay.status, pay.amount, pay.payment));
            assert_eq!(pay, told);
            let by_seller = view.fault == Some(domain::order::Fault::Seller);
            assert!(!by_seller || seen.fee.is_zero());
        }
        if let Some(refund) = &view.refund {
            let points: i64 = claim
                .refund
                .points
                .iter()
                .map(|one| one.amount.hundredths())
                .sum();
            assert_eq!(refund.money, claim.refund.money);
            assert_eq!(refund.points.hundredths(), points);
            let fees: Vec<_> = claim
                .refund
                .fees
                .iter()
                .map(|fee| (fee.kind, fee.amount))
                .collect();
            let told: Vec<_> = refund
                .fees
                .iter()
                .map(|fee| (fee.kind, fee.amount))
                .collect();
            assert_eq!(told, fees);
        }
    }
}

/// Whether the goods are back with the shop.
fn is_given_back(order: &Order, one: &Purchase) -> bool {
    let is_its = |claim: &&Claim| claim.purchase_nos.contains(&one.purchase_no);
    let granted = order.claims.iter().filter(is_its).any(|claim| {
        let stage = ClaimStage::of(claim).stage;
        claim.exchange().is_none() && (stage == "APPROVED" || stage == "COMPLETED")
    });
    granted || order.canceled.is_some()
}

/// The amounts of a purchase add up to what was placed.
fn assert_amounts(order: &Order, detail: &OrderDetail) {
    let placed = order.placed_terms().unwrap();
    let of = |no: &str| detail.amounts.iter().find(|one| one.purchase_no == no);
    let numbers: Vec<&str> = detail
        .amounts
        .iter()
        .map(|one| one.purchase_no.as_str())
        .collect();
    let all: Vec<&str> = order
        .purchases
        .iter()
        .map(|one| one.purchase_no.as_str())
        .collect();
    assert_eq!(numbers, all);
    for line in &placed.purchases {
        let told = of(&line.purchase_no).unwrap();
        assert_eq!(told.initial.quantity, line.quantity);
        assert_eq!(told.initial.paid, line.paid);
    }
    for one in &order.purchases {
        let told = of(&one.purchase_no).unwrap();
        let parts = order
            .purchases
            .iter()
            .filter(|part| part.split_from.as_ref() == Some(&one.purchase_no));
        let parts: u32 = parts
            .map(|part| of(&part.purchase_no).unwrap().initial.quantity)
            .sum();
        let left = told.initial.quantity - parts;
        match is_given_back(order, one) {
            true => assert_eq!((told.remain.quantity, told.remain.paid), (0, Amount::ZERO)),
            false => {
                assert_eq!(told.remain.quantity, left);
                let line = order.purchase_terms(&one.purchase_no).unwrap();
                assert_eq!(told.remain.paid, line.paid);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_detail_tells_the_claims_to_those_they_concern() {
    let shop = claimed(
        31,
        &["CANCEL REQUESTED", "RETURN REQUESTED", "RETURN APPROVED"],
    )
    .await;
    let pool = shop.store.pool();
    let mut hidden = 0;
    for (id, state) in &shop.orders {
        let row = order(pool, &id.to_string()).await.unwrap().unwrap();
        let sellers = sellers(state).into_iter().map(Reader::Seller);
        for reader in [Reader::Buyer, Reader::Staff].into_iter().chain(sellers) {
            let detail = OrderView::from(&row)
                .detail(reader, vec![], vec![])
                .unwrap();
            assert_claims(&shop, state, &detail, reader);
            hidden += state.claims.len() - detail.claims.len();
            match reader {
                Reader::Seller(seller) => {
                    let theirs = |no: &str| state.purchase(no).unwrap().seller == seller;
                    assert!(detail.amounts.iter().all(|one| theirs(&one.purchase_no)));
                }
                Reader::Buyer | Reader::Staff => assert_amounts(state, &detail),
            }
        }
        let stranger = Reader::Seller(MemberId(uuid::Uuid::nil()));
        let detail = OrderView::from(&row)
            .detail(stranger, vec![], vec![])
            .unwrap();
        assert!(detail.claims.is_empty() && detail.amounts.is_empty());
    }
    assert!(hidden > 0, "some sellers have to do with some claims only");
}

/// The list agrees, and a withdrawn claim is gone from it.
#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_shows_its_newest_claim_that_was_not_withdrawn() {
    let shop = claimed(32, &["RETURN REQUESTED"]).await;
    let pool = shop.store.pool();
    let mut shown = BTreeSet::new();
    let (mut split, mut pictured) = (0, 0);
    for (_, state, one) in purchases(&shop) {
        let filter = ConsoleFilter {
            search: Some(one.purchase_no.clone()),
            ..ConsoleFilter::default()
        };
        let found = console_purchases(pool, &filter, Reader::Staff, ALL)
            .await
            .unwrap();
        let mut rows = found.rows.into_iter().map(|found| found.row);
        let listed = rows.find(|row| row.purchase.purchase_no == one.purchase_no);
        let listed = listed.unwrap();
        let row = &listed.purchase;
        let mut left = state.claims.iter().filter(|claim| {
            claim.purchase_nos.contains(&one.purchase_no)
                && ClaimStage::of(claim).stage != "WITHDRAWN"
        });
        let newest = left.next_back();
        let claim = row.claim.as_ref();
        assert_eq!(claim.map(|claim| claim.id), newest.map(|claim| claim.id));
        assert_eq!(
            claim.map(|claim| claim.kind.code()),
            newest.map(|claim| ClaimStage::of(claim).kind)
        );
        let goods = newest.and_then(|claim| claim.collection.as_ref());
        let pictures = goods
            .map(|goods| goods.pictures.clone())
            .unwrap_or_default();
        assert_eq!(listed.claim_pictures, pictures);
        pictured += usize::from(!pictures.is_empty());
        assert_eq!(row.split_from, one.split_from);
        assert_eq!(row.collection_status, one.collection_status);
        split += usize::from(row.split_from.is_some());
        shown.insert(one.collection_status.code());
    }
    assert!(split > 0 && pictured > 0);
    assert_eq!(
        shown.len(),
        4,
        "goods are everywhere on their way: {shown:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_back_is_taken_off_the_sales_once() {
    let mut shop = claimed(34, &[]).await;
    until_divisible(&mut shop).await;
    let pool = shop.store.pool().clone();
    let filter = SalesFilter {
        from: OffsetDateTime::UNIX_EPOCH,
        to: shop.now + Duration::days(1_000),
        seller: None,
    };
    let told = sales_in_all(&pool, &filter).await.unwrap();
    let sold: Vec<(&Order, &Purchase)> = purchases(&shop)
        .filter(|(_, order, _)| order.paid.is_some())
        .map(|(_, order, one)| (order, one))
        .collect();
    let paid = |(order, one): &(&Order, &Purchase)| {
        order
            .purchase_terms(&one.purchase_no)
            .unwrap()
            .paid
            .hundredths()
    };
    let back = |code: &str| -> i64 {
        let back = sold
            .iter()
            .filter(|(_, one)| one.claim_status.code() == code);
        back.map(paid).sum()
    };
    let returned = back("RETURN_COMPLETED");
    assert!(returned > 0);
    assert_eq!(told.sales.hundredths(), sold.iter().map(paid).sum::<i64>());
    assert_eq!(
        told.canceled.hundredths(),
        back("CANCEL_COMPLETED") + returned
    );
    // and the members' unfinished purchases are counted
    for member in shop.members.keys() {
        let is_open = |one: &Purchase| {
            !matches!(
                one.purchase_status.code(),
                "PURCHASE_COMPLETE" | "PURCHASE_CANCELED"
            )
        };
        let buys = |order: &Order| matches!(order.buyer(), Some(domain::order::Buyer::Member { id }) if id == member);
        let open = purchases(&shop)
            .filter(|(_, order, one)| is_open(one) && (buys(order) || one.seller == *member))
            .count();
        assert_eq!(unfinished(&pool, *member).await.unwrap(), open as i64);
    }
    // returned units do not count towards the best sellers
    let mut pieces: BTreeMap<_, i64> = BTreeMap::new();
    for (order, one) in &sold {
        let line = order.purchase_terms(&one.purchase_no).unwrap();
        if one.purchase_status.code() != "PURCHASE_CANCELED" {
            *pieces.entry(line.product).or_default() += i64::from(line.quantity);
        }
    }
    for (product, number) in bests(&pool, filter.from, None, 1_000).await.unwrap() {
        assert_eq!(pieces.get(&product), Some(&number));
    }

    // splitting a purchase changes no sales
    shop.only_split().await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    assert_eq!(sales_in_all(&pool, &filter).await.unwrap(), told);
}
