//! Order and purchase lists of the console, and the counts of their tabs.

use std::collections::BTreeMap;

use domain::Amount;
use domain::Sealed;
use domain::ids::{ClaimPictureId, MemberId, OrderId};
use domain::order::{Order, Reader};
use domain::personal::Party;
use domain::shipping::ShippingMethod;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Postgres, QueryBuilder};
use time::{Date, OffsetDateTime};
use utoipa::ToSchema;

use super::claims::{ClaimView, claim_on, claims_seen_by};
use super::dispatch::{DispatchFilter, push_method};
use super::views::{OrderCard, OrderView, PurchaseRow, purchase_row};
use super::{ClaimTimes, ORDER, OrderRow, PurchaseColumns, PurchaseTab};
use crate::counts::{self, Counts};
use crate::error::ReadError;
use crate::ngrams::{escaped, needed, pattern};
use crate::page::{List, ListPage, Page, typed};

/// Filter of the console's orders and purchases.
#[derive(Clone, Debug, Default)]
pub struct ConsoleFilter {
    /// The tab.
    pub tab: PurchaseTab,
    /// orderNo or purchaseNo (or a prefix), invoice number, or a part of the product's name.
    pub search: Option<String>,
    /// Keyed hashes of the search text as a phone and as a name; see `state::order_contacts`.
    pub contact_hashes: Vec<Vec<u8>>,
    /// Placed at or after.
    pub from: Option<OffsetDateTime>,
    /// Placed before.
    pub to: Option<OffsetDateTime>,
    /// Only purchases from this seller: the reader's own.
    pub seller: Option<MemberId>,
    /// Filter by seller, in addition to `seller`.
    pub sold_by: Option<MemberId>,
    /// Only this buyer's.
    pub buyer: Option<MemberId>,
    /// Oldest first instead of newest first.
    pub oldest_first: bool,
    /// The state on the way to the buyer.
    pub dispatch: Option<DispatchFilter>,
    /// The courier.
    pub courier: Option<String>,
    /// The way of delivery.
    pub method: Option<ShippingMethod>,
    /// Paid at or after, and paid before.
    pub paid: (Option<OffsetDateTime>, Option<OffsetDateTime>),
    /// Members whose nickname is the search text.
    pub named: Vec<MemberId>,
    /// Only with a claim that waits for its next step.
    pub pending: bool,
}

impl ConsoleFilter {
    /// Whether it filters by the tab only; the stored counts apply then.
    fn is_everything(&self) -> bool {
        let Self {
            tab: _,
            search,
            contact_hashes: _,
            from,
            to,
            seller,
            sold_by,
            buyer,
            oldest_first: _,
            dispatch,
            courier,
            method,
            paid,
            named: _,
            pending,
        } = self;
        let searched = search
            .as_deref()
            .is_some_and(|text| !text.trim().is_empty());
        let whose = seller.or(*sold_by).or(*buyer);
        let sent = dispatch.is_some() || courier.is_some() || method.is_some();
        let dated = [from, to, &paid.0, &paid.1]
            .into_iter()
            .any(Option::is_some);
        !searched && !sent && !dated && !pending && whose.is_none()
    }

    const fn order(&self) -> &'static str {
        if self.oldest_first {
            "p.created_at, p.purchase_no"
        } else {
            "p.created_at DESC, p.purchase_no DESC"
        }
    }

    pub(super) fn push(&self, query: &mut QueryBuilder<'_, Postgres>, with_tab: bool) {
        query.push("true");
        if with_tab && self.tab != PurchaseTab::All {
            query.push(" AND p.tab = ").push_bind(self.tab.word());
        }
        if self.pending {
            query.push(" AND p.claim_pending");
        }
        if let Some(from) = self.from {
            query.push(" AND p.created_at >= ").push_bind(from);
        }
        if let Some(to) = self.to {
            query.push(" AND p.created_at < ").push_bind(to);
        }
        for seller in [self.seller, self.sold_by].into_iter().flatten() {
            query.push(" AND p.seller = ").push_bind(seller.0);
        }
        if let Some(buyer) = self.buyer {
            query.push(" AND p.buyer = ").push_bind(buyer.0);
        }
        if let Some(from) = self.paid.0 {
            query.push(" AND p.paid_at >= ").push_bind(from);
        }
        if let Some(to) = self.paid.1 {
            query.push(" AND p.paid_at < ").push_bind(to);
        }
        if let Some(dispatch) = self.dispatch {
            dispatch.push(query);
        }
        if let Some(courier) = &self.courier {
            query.push(" AND p.courier = ").push_bind(courier.clone());
        }
        if let Some(method) = self.method {
            push_method(query, method);
        }
        self.push_search(query);
    }

    fn push_search(&self, query: &mut QueryBuilder<'_, Postgres>) {
        let search = self.search.as_deref().map(str::trim).unwrap_or_default();
        if !search.is_empty() {
            // a purchaseNo starts with its orderNo
            let number = format!("{}%", escaped(&search.to_uppercase()));
            query
                .push(" AND (p.purchase_no LIKE ")
                .push_bind(number)
                .push(" OR p.invoice_no = ")
                .push_bind(search.to_owned())
                .push(" OR (p.pieces @> ")
                .push_bind(needed(search))
                .push(" AND (p.name ILIKE ")
                .push_bind(pattern(search))
                .push(" OR p.option_name ILIKE ")
                .push_bind(pattern(search))
                .push(" OR p.code ILIKE ")
                .push_bind(pattern(search))
                .push("))");
            if is_part_of_number(search) {
                query
                    // read from the index of the key, and only then looked up
                    .push(" OR p.purchase_no = ANY(ARRAY(SELECT n.purchase_no FROM orders_purchases n WHERE n.purchase_no LIKE ")
                    .push_bind(format!("_%{}%", escaped(&search.to_uppercase())))
                    .push("))");
            }
            if !self.named.is_empty() {
                let named: Vec<uuid::Uuid> = self.named.iter().map(|member| member.0).collect();
                query.push(" OR p.buyer = ANY(").push_bind(named).push(")");
            }
            if !self.contact_hashes.is_empty() {
                query
                    // as an array it is evaluated first and then looked up by index; a subquery in an OR would be evaluated for every row
                    .push(" OR p.order_id = ANY(ARRAY(SELECT c.order_id FROM order_contacts c WHERE c.hash = ANY(")
                    .push_bind(self.contact_hashes.clone())
                    .push(")))");
            }
            query.push(")");
        }
    }
}

/// Whether it may be a part of an order number; shorter ones would match most of them.
fn is_part_of_number(search: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    (3..=24).contains(&search.len()) && search.chars().all(fits)
}

/// A purchase in the console's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsolePurchase {
    /// The purchase.
    #[serde(flatten)]
    pub purchase: PurchaseRow,
    /// Its order.
    #[serde(rename = "_order")]
    pub order: OrderId,
    /// The number of its order.
    pub order_no: String,
    /// When it was placed.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
    /// When it was paid.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paid_at: Option<OffsetDateTime>,
    /// Name of the sender; none: erased, or not decrypted yet.
    pub buyer_name: Option<String>,
    /// Name of the receiver; none: erased, or not decrypted yet.
    pub receiver_name: Option<String>,
    /// What the order costs, hundredths.
    pub payable: Amount,
    /// Its way of delivery.
    pub method: Option<ShippingMethod>,
    /// The Seoul day by which it has to be sent, `YYYY-MM-DD`; none once sent.
    #[serde(with = "crate::timestamp::day")]
    #[schema(value_type = Option<String>, format = Date)]
    pub ship_by: Option<Date>,
    /// Timestamps of its claim; none without a claim.
    pub claim_times: Option<ClaimTimes>,
    /// Pictures of the goods of that claim.
    pub claim_pictures: Vec<ClaimPictureId>,
}

/// A purchase found, with the sealed names for `api` to decrypt.
#[derive(Clone, Debug)]
pub struct FoundPurchase {
    /// API view.
    pub row: ConsolePurchase,
    /// Who sends it.
    pub sender: Sealed<Party>,
    /// Who gets it.
    pub receiver: Sealed<Party>,
}

/// Columns of the console's purchase lists: the row of the purchase, and of its order what only the order's row has.
#[derive(Deserialize)]
struct PurchaseWithOrder {
    purchase: PurchaseColumns,
    claim_refusable: bool,
    payable: Amount,
    sender: Sealed<Party>,
    receiver: Sealed<Party>,
    method: Option<ShippingMethod>,
    claim_times: Option<ClaimTimes>,
    claim_pictures: Option<Vec<ClaimPictureId>>,
}

impl PurchaseWithOrder {
    const SELECT: &'static str = "jsonb_build_object('purchase', to_jsonb(p), 'claim_refusable', p.claim_pending \
         AND jsonb_path_exists(o.state, '$.claims[*] ? (@.id == $claim).collection.exchange \
         ? (!exists(@.invoice))', jsonb_build_object('claim', p.claim)), \
         'payable', o.payable, 'sender', o.sender, \
         'receiver', o.receiver, \
         'method', jsonb_path_query_first(o.state, '$.terms.fares[*] ? (@.purchaseNos[*] == $no).method', \
         jsonb_build_object('no', p.purchase_no)), 'claim_times', o.claim_times -> p.claim::text, \
         'claim_pictures', CASE WHEN p.claim IS NOT NULL THEN jsonb_path_query_first(o.state, \
         '$.claims[*] ? (@.id == $claim).collection.pictures', jsonb_build_object('claim', p.claim)) END)";

    /// A purchase without an order row is not skipped: reading it fails.
    const FROM: &'static str = "orders_purchases p LEFT JOIN orders o ON o.id = p.order_id";

    fn shown(self, reader: Reader) -> Result<FoundPurchase, ReadError> {
        let row = self.purchase;
        Ok(FoundPurchase {
            row: ConsolePurchase {
                method: self.method,
                ship_by: None,
                order: row.order_id,
                order_no: row.order_no.clone(),
                created_at: row.created_at,
                paid_at: row.paid_at,
                buyer_name: None,
                receiver_name: None,
                payable: self.payable,
                claim_times: self.claim_times,
                claim_pictures: self.claim_pictures.unwrap_or_default(),
                purchase: row.shown(reader, self.claim_refusable)?,
            },
            sender: self.sender,
            receiver: self.receiver,
        })
    }
}

/// One purchase of an order as the console shows it; none if the order does not have it.
///
/// # Errors
/// [`ReadError::MissingTerms`].
pub fn console_purchase(
    of: &OrderRow,
    purchase_no: &str,
    reader: Reader,
) -> Result<Option<FoundPurchase>, ReadError> {
    let Some(purchase) = of.state.purchase(purchase_no) else {
        return Ok(None);
    };
    let claim = claim_on(&of.state, purchase);
    let goods = claim.and_then(|claim| claim.collection.as_ref());
    Ok(Some(FoundPurchase {
        row: ConsolePurchase {
            purchase: purchase_row(&of.state, purchase, reader)?,
            order: of.id,
            order_no: of.order_no.clone(),
            created_at: of.created_at,
            paid_at: of.paid_at,
            buyer_name: None,
            receiver_name: None,
            payable: of.payable,
            claim_times: claim.and_then(|one| of.claim_times.of(one.id)),
            claim_pictures: goods
                .map(|goods| goods.pictures.clone())
                .unwrap_or_default(),
            method: method_of(&of.state, purchase_no),
            ship_by: None,
        },
        sender: of.sender.clone(),
        // The state may be newer than the row.
        receiver: of.state.receiver().unwrap_or(&of.receiver).clone(),
    }))
}

/// The way of delivery of a purchase.
pub fn method_of(order: &Order, purchase_no: &str) -> Option<ShippingMethod> {
    let fares = &order.terms.as_ref()?.fares;
    let carries = |no: &String| no == purchase_no;
    let fare = fares
        .iter()
        .find(|fare| fare.purchase_nos.iter().any(carries))?;
    Some(fare.method)
}

/// A page of the console's purchases.
///
/// # Errors
/// [`ReadError`].
pub async fn console_purchases(
    pool: &PgPool,
    filter: &ConsoleFilter,
    reader: Reader,
    page: Page,
) -> Result<ListPage<FoundPurchase>, ReadError> {
    let list = List {
        select: PurchaseWithOrder::SELECT,
        from: PurchaseWithOrder::FROM,
        narrow: "orders_purchases p",
        key: "p.purchase_no",
        order: filter.order(),
    };
    let narrow = |query: &mut QueryBuilder<'_, Postgres>| filter.push(query, true);
    let found: ListPage<PurchaseWithOrder> = match filter.is_everything() {
        true => ListPage {
            total_count: tab_counts(pool, filter).await?.of(filter.tab),
            rows: list.rows(pool, page, narrow).await?,
        },
        false => list.page(pool, page, narrow).await?,
    };
    found.try_map(|found| found.shown(reader))
}

/// The numbers of the console's purchases in list order, up to `limit`.
///
/// # Errors
/// [`ReadError`].
pub async fn console_purchase_nos(
    pool: &PgPool,
    filter: &ConsoleFilter,
    most: i64,
) -> Result<Vec<String>, ReadError> {
    let mut query = QueryBuilder::new("SELECT p.purchase_no FROM orders_purchases p WHERE ");
    filter.push(&mut query, true);
    query
        .push(format!(" ORDER BY {} LIMIT ", filter.order()))
        .push_bind(most);
    Ok(query.build_query_scalar().fetch_all(pool).await?)
}

/// The numbers of the console's purchases after `after`, ordered by number, up to `limit`. Continuing after the last one visits each
/// purchase once, even if purchases change in between.
///
/// # Errors
/// [`ReadError`].
pub async fn console_purchase_nos_behind(
    pool: &PgPool,
    filter: &ConsoleFilter,
    after: &str,
    most: i64,
) -> Result<Vec<String>, ReadError> {
    let mut query = QueryBuilder::new("SELECT p.purchase_no FROM orders_purchases p WHERE ");
    filter.push(&mut query, true);
    query
        .push(" AND p.purchase_no > ")
        .push_bind(after.to_owned())
        .push(" ORDER BY p.purchase_no LIMIT ")
        .push_bind(most);
    Ok(query.build_query_scalar().fetch_all(pool).await?)
}

/// The purchases with these numbers, in the given order.
///
/// # Errors
/// [`ReadError`].
pub async fn console_purchases_of(
    pool: &PgPool,
    purchase_nos: &[String],
    reader: Reader,
) -> Result<Vec<FoundPurchase>, ReadError> {
    let found: Vec<PurchaseWithOrder> = typed(
        sqlx::query_scalar(&format!(
            "SELECT {} FROM {} WHERE p.purchase_no = ANY($1) ORDER BY array_position($1, p.purchase_no)",
            PurchaseWithOrder::SELECT,
            PurchaseWithOrder::FROM,
        ))
        .bind(purchase_nos)
        .fetch_all(pool)
        .await?,
    )?;
    let shown = |found: PurchaseWithOrder| found.shown(reader);
    found.into_iter().map(shown).collect()
}

/// The claims on the purchases with these numbers, visible to `reader`, by number.
///
/// # Errors
/// [`ReadError`].
pub async fn claims_on_purchases(
    pool: &PgPool,
    purchase_nos: &[String],
    reader: Reader,
) -> Result<BTreeMap<String, ClaimView>, ReadError> {
    let orders: Vec<OrderRow> = typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(o) FROM orders o WHERE o.id IN \
             (SELECT p.order_id FROM orders_purchases p WHERE p.purchase_no = ANY($1) AND p.claim IS NOT NULL)",
        )
        .bind(purchase_nos)
        .fetch_all(pool)
        .await?,
    )?;
    let mut found = BTreeMap::new();
    for row in &orders {
        let views = claims_seen_by(&row.state, &row.claim_times, reader);
        let listed = row.state.purchases.iter();
        for purchase in listed.filter(|one| purchase_nos.contains(&one.purchase_no)) {
            let claim = claim_on(&row.state, purchase).map(|claim| claim.id);
            if let Some(view) = views.iter().find(|view| Some(view.id) == claim) {
                found.insert(purchase.purchase_no.clone(), view.clone());
            }
        }
    }
    Ok(found)
}

/// An order found, with the sealed data for `api` to decrypt.
#[derive(Clone, Debug)]
pub struct FoundOrder {
    /// API view.
    pub card: OrderCard,
    /// The row: its `state.terms` hold the sealed sender and receiver.
    pub row: OrderRow,
}

/// The console's orders: those with a purchase that matches the filter.
///
/// # Errors
/// [`ReadError`].
pub async fn console_orders(
    pool: &PgPool,
    filter: &ConsoleFilter,
    reader: Reader,
    page: Page,
) -> Result<ListPage<FoundOrder>, ReadError> {
    let list = List {
        select: "to_jsonb(o)",
        from: "orders o",
        narrow: "orders o",
        key: "o.id",
        order: if filter.oldest_first {
            "o.created_at, o.id"
        } else {
            "o.created_at DESC, o.id DESC"
        },
    };
    let narrow = |query: &mut QueryBuilder<'_, Postgres>| {
        query.push("EXISTS (SELECT FROM orders_purchases p WHERE p.order_id = o.id AND ");
        filter.push(query, true);
        query.push(")");
    };
    let found: ListPage<OrderRow> = match filter.is_everything() && filter.tab == PurchaseTab::All {
        true => ListPage {
            total_count: counts::live(pool, super::NAME, ORDER).await?,
            rows: list.rows(pool, page, narrow).await?,
        },
        false => list.page(pool, page, narrow).await?,
    };
    found.try_map(|row| {
        let card = OrderView::from(&row).card(reader, None)?;
        Ok(FoundOrder { card, row })
    })
}

/// Counts of the console's tabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TabCounts {
    /// All purchases: the sum of the others.
    pub all: i64,
    /// Not paid.
    pub nonpayment: i64,
    /// Paid.
    pub payment: i64,
    /// Being prepared, shipped, delayed or delivered.
    pub delivery: i64,
    /// Canceled or to be canceled.
    pub cancel: i64,
    /// Exchanges.
    pub exchange: i64,
    /// Returns.
    #[serde(rename = "return")]
    pub returns: i64,
    /// Confirmed.
    pub complete: i64,
}

impl TabCounts {
    fn by(counts: &Counts) -> Self {
        let of = |tab: PurchaseTab| counts.get(tab.word()).copied().unwrap_or(0);
        let mut found = Self {
            all: 0,
            nonpayment: of(PurchaseTab::Nonpayment),
            payment: of(PurchaseTab::Payment),
            delivery: of(PurchaseTab::Delivery),
            cancel: of(PurchaseTab::Cancel),
            exchange: of(PurchaseTab::Exchange),
            returns: of(PurchaseTab::Return),
            complete: of(PurchaseTab::Complete),
        };
        found.all = PurchaseTab::EACH.into_iter().map(|tab| found.of(tab)).sum();
        found
    }

    /// The count of one tab.
    pub const fn of(&self, tab: PurchaseTab) -> i64 {
        match tab {
            PurchaseTab::All => self.all,
            PurchaseTab::Nonpayment => self.nonpayment,
            PurchaseTab::Payment => self.payment,
            PurchaseTab::Delivery => self.delivery,
            PurchaseTab::Cancel => self.cancel,
            PurchaseTab::Exchange => self.exchange,
            PurchaseTab::Return => self.returns,
            PurchaseTab::Complete => self.complete,
        }
    }
}

/// Purchases by tab; the filter's own tab is ignored. Without other filters the stored counts are returned.
///
/// # Errors
/// [`ReadError`].
pub async fn tab_counts(pool: &PgPool, filter: &ConsoleFilter) -> Result<TabCounts, ReadError> {
    if filter.is_everything() {
        return Ok(TabCounts::by(&counts::all(pool, super::NAME).await?));
    }
    let mut query = QueryBuilder::new("SELECT p.tab, count(*) FROM orders_purchases p WHERE ");
    filter.push(&mut query, false);
    query.push(" GROUP BY p.tab");
    let rows: Vec<(String, i64)> = query.build_query_as().fetch_all(pool).await?;
    Ok(TabCounts::by(&rows.into_iter().collect()))
}
