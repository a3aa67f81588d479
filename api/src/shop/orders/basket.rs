//! A basket with everything its price depends on: the shopkeeper's side of the order form.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::Amount;
use domain::catalogue::{Discount, Product};
use domain::coupon::IssuedCoupon;
use domain::distance::Kilometres;
use domain::ids::{CartId, IssuedCouponId, MemberId, OptionId, ProductId, ShippingId, StockId};
use domain::member::Member;
use domain::order::{OrderTerms, RuleVersion, StockTaken};
use domain::pricing::trace::PriceTrace;
use domain::pricing::{CouponToUse, Line, PricingError, Quote, Request, explained, quote};
use domain::record::Resource;
use domain::rounding::RoundingStep;
use domain::shipping::{Area, Geolocation, ShippingGroup, ShippingOption};
use domain::site::Level;
use futures::future::try_join_all;
use projections::products::shipping_group;
use projections::state::{carts, ordered_lines};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::cart_rows::{cart_ordered, guest_lines};
use super::form::{CouponForm, LineForm, OrderForm};
use crate::app::AppState;
use crate::http::{ApiError, ApiResult, Code};
use crate::shop::pricing_rules::PricingRules;

/// What somebody wants to order, with the rules its price follows.
#[derive(Clone, Debug)]
pub struct Basket {
    /// The lines, numbered `1`, `2`, ... by their place.
    pub lines: Vec<BasketLine>,
    /// Surcharge area of the receiver.
    pub area: Area,
    /// The area is a guess.
    pub area_unknown: bool,
    /// Where the receiver is, if they said so.
    pub position: Option<Geolocation>,
    /// Coupons to use.
    pub coupons: Vec<CouponToUse>,
    /// Points to use.
    pub points: Amount,
    /// Versions of the rules used.
    pub versions: Vec<RuleVersion>,
    /// Minutes the order may stay unpaid, if the shop has said so.
    pub unpaid_minutes: Option<u32>,
    /// What every rounding goes to.
    pub step: RoundingStep,
    level: Option<Discount>,
    now: OffsetDateTime,
}

/// One line.
#[derive(Clone, Debug)]
pub struct BasketLine {
    /// The line of the cart it comes from.
    pub cart: Option<CartId>,
    /// The product.
    pub product_id: ProductId,
    /// Its record.
    pub product: Arc<Product>,
    /// What the whole line takes from stock.
    pub takes: Vec<StockTaken>,
    /// The products whose pieces those are, one by one.
    counted_for: Vec<ProductId>,
    /// Of a set the buyer chooses from: what they chose is called.
    choice: Option<String>,
    version: u64,
    option: Option<OptionId>,
    quantity: u32,
    categories: Vec<String>,
    shipping_id: ShippingId,
    shipping: ShippingOption,
    warehouse: Option<Geolocation>,
}

/// A line before its product was looked up.
type Asked = (Option<CartId>, LineForm);

impl Basket {
    /// Looks up everything an order form names.
    ///
    /// # Errors
    /// `not_found` for foreign cart lines and coupons, `not_on_sale` for products that cannot be bought.
    pub async fn of(app: &AppState, member: Option<MemberId>, form: &OrderForm) -> ApiResult<Self> {
        let mut asked: Vec<Asked> = cart_lines(app, member, &form.cart_ids).await?;
        if let Some(cart) = form.guest_cart {
            refuse_ordered(app, cart, &guest_lines(&form.carts)).await?;
        }
        asked.extend(form.carts.iter().map(|line| (None, *line)));
        let mut basket = Self::holding(
            app,
            member,
            &asked,
            form.receiver.as_ref().and_then(|to| to.postcode.as_deref()),
        )
        .await?;
        basket.position = form.receiver.as_ref().and_then(|to| to.geolocation);
        basket.coupons = coupons(app, member, &form.coupons).await?;
        basket.points = form.point;
        Ok(basket)
    }

    /// A basket of these lines, without coupons and points.
    ///
    /// # Errors
    /// `not_on_sale`.
    pub async fn holding(
        app: &AppState,
        member: Option<MemberId>,
        asked: &[Asked],
        postcode: Option<&str>,
    ) -> ApiResult<Self> {
        let products: Vec<ProductId> = asked.iter().map(|(_, line)| line.product).collect();
        let now = app.clock.now();
        let rules = app.pricing_rules.rules(&app.store, &products).await?;
        let rules = rules.in_use_at(now);
        let (area, area_unknown) = rules.area(postcode);
        let mut versions = Vec::new();
        let lines = asked
            .iter()
            .map(|(cart, line)| {
                is_sound(line.product, &rules)?;
                BasketLine::of(*cart, line, &rules, &mut versions)
            })
            .collect::<ApiResult<Vec<_>>>()?;
        let level = level_discount(app, member, &rules, &mut versions).await?;
        if rules.tree.version > 0 {
            remember(&mut versions, "category-tree", "main", rules.tree.version);
        }
        Ok(Self {
            lines,
            area,
            area_unknown,
            position: None,
            coupons: Vec::new(),
            points: Amount::ZERO,
            versions,
            unpaid_minutes: rules
                .setting
                .as_ref()
                .map(|setting| setting.unpaid_deadline_minutes),
            step: rules.step(),
            level,
            now,
        })
    }

    /// The basket an order was made of, with every rule as it was then; none where a rule cannot be had any more.
    ///
    /// # Errors
    /// The database's.
    pub async fn of_order(
        app: &AppState,
        terms: &OrderTerms,
        placed_at: OffsetDateTime,
    ) -> ApiResult<Option<Self>> {
        let Some(rules) = PricingRules::of_order(&app.store, terms).await? else {
            return Ok(None);
        };
        let mut versions = Vec::new();
        let mut lines = Vec::with_capacity(terms.purchases.len());
        for line in &terms.purchases {
            let asked = LineForm {
                product: line.product,
                option: line.option,
                quantity: line.quantity,
            };
            // before its parts could be chosen one by one, such a set took all of them
            let product = rules.products.get(&line.product);
            if line.option.is_none() && product.is_some_and(|one| one.data.is_choice()) {
                return Ok(None);
            }
            // it was on sale then, or the records are not what they were
            match BasketLine::of(None, &asked, &rules, &mut versions) {
                Ok(line) => lines.push(line),
                Err(_) => return Ok(None),
            }
        }
        let receiver = app.keys.open(&terms.receiver).await?.value();
        let mut coupons = Vec::with_capacity(terms.coupons.len());
        for used in &terms.coupons {
            let issued = app
                .store
                .load::<IssuedCoupon>(&used.issued.to_string())
                .await?;
            let Some(held) = issued.state.held else {
                return Ok(None);
            };
            let place = used.purchase_no.as_ref().and_then(|no| {
                let mut lines = terms.purchases.iter();
                lines.position(|line| line.purchase_no == *no)
            });
            coupons.push(CouponToUse {
                issued: used.issued,
                coupon: held.coupon,
                terms: held.terms,
                purchase_no: place.map(number),
            });
        }
        Ok(Some(Self {
            lines,
            area: terms.area,
            area_unknown: terms.area_unknown,
            position: receiver.and_then(|to| to.geolocation),
            coupons,
            points: terms.totals.points,
            versions,
            unpaid_minutes: None,
            step: terms.step,
            level: rules.only_level().and_then(|level| level.discount),
            now: placed_at,
        }))
    }

    /// What it costs, and how every number of that came about.
    ///
    /// # Errors
    /// The first rule that refused.
    pub fn explained(&self) -> Result<(Quote, PriceTrace), PricingError> {
        explained(&self.request(&self.coupons, self.points))
    }

    /// What it costs.
    ///
    /// # Errors
    /// The first rule that refused.
    pub fn quote(&self) -> Result<Quote, PricingError> {
        self.quote_with(&self.coupons, self.points)
    }

    /// What it would cost with other coupons and points.
    ///
    /// # Errors
    /// The first rule that refused.
    pub fn quote_with(
        &self,
        coupons: &[CouponToUse],
        points: Amount,
    ) -> Result<Quote, PricingError> {
        quote(&self.request(coupons, points))
    }

    /// Which product each stock ledger of it has to count.
    pub fn goods(&self) -> BTreeMap<StockId, ProductId> {
        let lines = self.lines.iter();
        lines
            .flat_map(|line| line.takes.iter().zip(&line.counted_for))
            .map(|(taken, product)| (taken.stock, *product))
            .collect()
    }

    fn request(&self, coupons: &[CouponToUse], points: Amount) -> Request<'_> {
        let lines = self.lines.iter().enumerate();
        Request {
            lines: lines
                .map(|(place, line)| line.priced(place, self.position))
                .collect(),
            area: self.area,
            level_discount: self.level,
            coupons: coupons.to_vec(),
            points,
            step: self.step,
            now: self.now,
        }
    }
}

impl BasketLine {
    fn of(
        cart: Option<CartId>,
        asked: &LineForm,
        rules: &PricingRules,
        versions: &mut Vec<RuleVersion>,
    ) -> ApiResult<Self> {
        let not_on_sale = |why: &str| not_on_sale(asked.product, why);
        let found = rules
            .products
            .get(&asked.product)
            .ok_or_else(|| not_on_sale("removed"))?;
        if !found.data.shows {
            return Err(not_on_sale("hidden"));
        }
        let product = Arc::clone(&found.data);
        let categories = rules.categories(&product);
        let group = shipping_group(asked.product, &product, &categories, &rules.groups)
            .ok_or_else(|| not_on_sale("no_shipping"))?;
        let ways = group.data.ways();
        let shipping = (*ways.first().ok_or_else(|| not_on_sale("no_shipping"))?).clone();
        let warehouse = group.data.warehouse.as_ref();
        let warehouse = warehouse.and_then(|warehouse| warehouse.geolocation);
        let shipping_id = group.id.parse().map_err(|_| not_on_sale("no_shipping"))?;
        remember(
            versions,
            ShippingGroup::KIND,
            &group.id,
            u64::try_from(group.version).unwrap_or_default(),
        );
        let option = asked.chosen();
        let own = StockId(option.map_or(asked.product.0, |option| option.0));
        let parts = product.parts_sold(option);
        let takes = match product.is_set() {
            false => vec![StockTaken {
                stock: own,
                quantity: asked.quantity,
            }],
            true => Line::parts_of(parts, asked.quantity)?,
        };
        let counted_for = match product.is_set() {
            false => vec![asked.product],
            true => parts.iter().map(|part| part.product).collect(),
        };
        let choice = parts.first().filter(|_| product.is_choice());
        let choice = choice.and_then(|part| Some(part.name(rules.part(part.product)?)));
        Ok(Self {
            cart,
            product_id: asked.product,
            version: found.version,
            option,
            quantity: asked.quantity,
            takes,
            counted_for,
            choice,
            categories,
            shipping_id,
            shipping,
            warehouse,
            product,
        })
    }

    /// The shipping group that delivers it.
    pub fn shipping_id(&self) -> ShippingId {
        self.shipping_id
    }

    /// Pieces ordered.
    pub fn quantity(&self) -> u32 {
        self.quantity
    }

    /// How many pieces of a stock ledger one piece of the line needs.
    pub fn pieces_of(&self, taken: &StockTaken) -> i64 {
        i64::from(taken.quantity)
            .checked_div(i64::from(self.quantity))
            .unwrap_or(0)
    }

    fn priced(&self, place: usize, receiver: Option<Geolocation>) -> Line<'_> {
        Line {
            purchase_no: number(place),
            product_id: self.product_id,
            product: &self.product,
            product_version: self.version,
            option: self.option,
            quantity: self.quantity,
            categories: self.categories.clone(),
            shipping: &self.shipping,
            shipping_id: self.shipping_id,
            distance: self
                .warehouse
                .zip(receiver)
                .and_then(|(from, to)| Kilometres::between(from, to)),
            parts: match self.product.is_set() {
                false => Vec::new(),
                true => self.takes.clone(),
            },
            choice: self.choice.clone(),
        }
    }
}

fn not_on_sale(product: ProductId, why: &str) -> ApiError {
    ApiError::new(Code::NotOnSale).with_details(json!({ "_product": product, "reason": why }))
}

/// Passes unless it is a set whose parts are not as they have to be; what is missing is told elsewhere.
fn is_sound(id: ProductId, rules: &PricingRules) -> ApiResult<()> {
    match rules.products.get(&id) {
        Some(product) if !rules.is_sound(&product.data) => Err(not_on_sale(id, "bundle")),
        _ => Ok(()),
    }
}

/// The number of a line before it has an order.
pub fn number(place: usize) -> String {
    place.saturating_add(1).to_string()
}

fn remember(versions: &mut Vec<RuleVersion>, kind: &str, id: &str, version: u64) {
    if !versions
        .iter()
        .any(|known| known.kind == kind && known.id == id)
    {
        versions.push(RuleVersion {
            kind: kind.to_owned(),
            id: id.to_owned(),
            version,
        });
    }
}

async fn cart_lines(
    app: &AppState,
    member: Option<MemberId>,
    ids: &[CartId],
) -> ApiResult<Vec<Asked>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let member = member.ok_or_else(|| ApiError::new(Code::LoginRequired))?;
    let lines = carts::lines(app.pool(), member).await?;
    let missing = ids
        .iter()
        .filter(|id| lines.iter().all(|line| line.id != **id));
    let missing: Vec<String> = missing.map(CartId::to_string).collect();
    if !missing.is_empty() {
        refuse_ordered(app, member.0, &missing).await?;
    }
    ids.iter()
        .map(|id| {
            let line = lines
                .iter()
                .find(|line| line.id == *id)
                .ok_or_else(ApiError::not_found)?;
            Ok((
                Some(line.id),
                LineForm {
                    product: line.product,
                    option: line.option,
                    quantity: line.quantity,
                },
            ))
        })
        .collect()
}

/// Refuses lines of a cart that an order took.
async fn refuse_ordered(app: &AppState, cart: Uuid, lines: &[String]) -> ApiResult<()> {
    match ordered_lines::order_of(app.pool(), cart, lines, app.clock.now()).await? {
        Some(order) => Err(cart_ordered(&order)),
        None => Ok(()),
    }
}

async fn level_discount(
    app: &AppState,
    member: Option<MemberId>,
    rules: &PricingRules,
    versions: &mut Vec<RuleVersion>,
) -> ApiResult<Option<Discount>> {
    let Some(member) = member else {
        return Ok(None);
    };
    let member = app.store.load::<Member>(&member.to_string()).await?.state;
    // their token is good for some minutes longer than they are a member
    if member.left {
        return Err(ApiError::new(Code::LoginRequired));
    }
    let Some((id, level)) = rules.level_of(&member) else {
        return Ok(None);
    };
    remember(versions, Level::KIND, id, level.version);
    Ok(level.data.discount)
}

/// The coupons a form names, with their frozen terms; only ones in the member's own box.
async fn coupons(
    app: &AppState,
    member: Option<MemberId>,
    wanted: &[CouponForm],
) -> ApiResult<Vec<CouponToUse>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let member = member.ok_or_else(|| ApiError::new(Code::LoginRequired))?;
    try_join_all(wanted.iter().map(|coupon| to_use(app, member, coupon))).await
}

async fn to_use(app: &AppState, member: MemberId, wanted: &CouponForm) -> ApiResult<CouponToUse> {
    let IssuedCouponId(id) = wanted.issued;
    let coupon = app.store.load::<IssuedCoupon>(&id.to_string()).await?.state;
    let held = coupon
        .held
        .filter(|held| held.member == member)
        .ok_or_else(ApiError::not_found)?;
    if coupon.used_on.is_some() {
        return Err(
            ApiError::new(Code::CouponUsed).with_details(json!({ "_issued": wanted.issued }))
        );
    }
    Ok(CouponToUse {
        issued: wanted.issued,
        coupon: held.coupon,
        terms: held.terms,
        purchase_no: wanted.purchase_no.clone(),
    })
}
