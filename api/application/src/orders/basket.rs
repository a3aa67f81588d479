//! A basket: the lines of an order form with all data their price depends on.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::Amount;
use domain::catalogue::{Discount, Product};
use domain::coupon::IssuedCoupon;
use domain::distance::Kilometres;
use domain::ids::{CartId, IssuedCouponId, MemberId, OptionId, ProductId, ShippingId, StockId};
use domain::member::Member;
use domain::order::{OrderTerms, RuleVersion, StockTaken};
use domain::policies::purchase_points::PointsRate;
use domain::price_trace::PriceTrace;
use domain::pricing::{
    BeforeCoupons, CouponToUse, Line, PricingError, Quote, Request, explained, quote,
};
use domain::record::Resource;
use domain::rounding::RoundingStep;
use domain::shipping::{Area, Geolocation, ShippingGroup, ShippingOption};
use domain::site::{Level, PointsRules};
use domain::storefront::ProductDisplay;
use domain::storefront::exhibition::Exhibition;
use futures::future::try_join_all;
use projections::products::shipping_group;
use projections::state::{carts, ordered_lines};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::cart_rows::{cart_ordered, guest_lines};
use super::form::{CouponForm, LineForm, OrderForm};
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::pricing_rules::PricingRules;

/// The lines to order, with the pricing rules that apply.
#[derive(Clone, Debug)]
pub struct Basket {
    /// The lines, numbered `1`, `2`, ... by index.
    pub lines: Vec<BasketLine>,
    /// Surcharge area of the receiver.
    pub area: Area,
    /// Whether the area is estimated.
    pub area_unknown: bool,
    /// Position of the receiver, if given.
    pub position: Option<Geolocation>,
    /// Coupons to use.
    pub coupons: Vec<CouponToUse>,
    /// Points to use.
    pub points: Amount,
    /// Versions of the pricing records used.
    pub versions: Vec<RuleVersion>,
    /// Payment period in minutes, if configured.
    pub unpaid_minutes: Option<u32>,
    /// The rounding step.
    pub step: RoundingStep,
    /// The rules for using points.
    pub points_rules: PointsRules,
    level: Option<Discount>,
    /// Whole percent of what is paid that the membership level earns.
    points_percent: u8,
    now: OffsetDateTime,
}

/// A line of a basket.
#[derive(Clone, Debug)]
pub struct BasketLine {
    /// The cart line it comes from.
    pub cart: Option<CartId>,
    /// The product.
    pub product_id: ProductId,
    /// Its product record.
    pub product: Arc<Product>,
    /// Stock taken by the whole line.
    pub takes: Vec<StockTaken>,
    /// The products of that stock, in the same order.
    counted_for: Vec<ProductId>,
    /// For sets with a choice: display name of the chosen part.
    choice: Option<String>,
    version: u64,
    option: Option<OptionId>,
    quantity: u32,
    categories: Vec<String>,
    /// Codes of the displays, and ids of the exhibitions, the product is in.
    displays: Vec<String>,
    shipping_id: ShippingId,
    shipping: ShippingOption,
    warehouse: Option<Geolocation>,
}

/// A line before its product is looked up.
type RequestedLine = (Option<CartId>, LineForm);

impl Basket {
    /// Looks up everything an order form refers to.
    ///
    /// # Errors
    /// `not_found` for cart lines and coupons of others, `not_on_sale` for products that cannot be bought.
    pub async fn of(app: &App, member: Option<MemberId>, form: &OrderForm) -> AppResult<Self> {
        let mut requested: Vec<RequestedLine> = cart_lines(app, member, &form.cart_ids).await?;
        if let Some(cart) = form.guest_cart {
            refuse_ordered(app, cart, &guest_lines(&form.carts)).await?;
        }
        requested.extend(form.carts.iter().map(|line| (None, *line)));
        let mut basket = Self::holding(
            app,
            member,
            &requested,
            form.receiver.as_ref().and_then(|to| to.postcode.as_deref()),
        )
        .await?;
        basket.deliverable()?;
        basket.position = form.receiver.as_ref().and_then(|to| to.geolocation);
        basket.coupons = coupons(app, member, &form.coupons).await?;
        basket.points = form.point;
        Ok(basket)
    }

    /// Checks that every line is delivered to the receiver's area, if that is known.
    fn deliverable(&self) -> AppResult<()> {
        let lines = self.lines.iter().zip(1_usize..);
        let kept = lines.filter(|(line, _)| !line.shipping.delivers_to(self.area));
        let kept: Vec<String> = kept.map(|(_, number)| number.to_string()).collect();
        if self.area_unknown || kept.is_empty() {
            return Ok(());
        }
        let message = "이 주소로 배송하지 않는 상품이 있습니다. 상품을 빼거나 주소를 바꿔 주세요.";
        let error = AppError::invalid_field("receiver.postcode", "area_not_served", message);
        Err(error.with_details(json!({ "purchaseNos": kept })))
    }

    /// A basket of these lines, without coupons and points.
    ///
    /// # Errors
    /// `not_on_sale`.
    pub async fn holding(
        app: &App,
        member: Option<MemberId>,
        requested: &[RequestedLine],
        postcode: Option<&str>,
    ) -> AppResult<Self> {
        let products: Vec<ProductId> = requested.iter().map(|(_, line)| line.product).collect();
        let now = app.clock.now();
        let rules = app.pricing_rules.rules(&app.store, &products).await?;
        let rules = rules.in_use_at(now);
        let (area, area_unknown) = rules.area(postcode);
        let mut versions = Vec::new();
        let lines = requested
            .iter()
            .map(|(cart, line)| {
                is_sound(line.product, &rules)?;
                BasketLine::of(*cart, line, &rules, &mut versions)
            })
            .collect::<AppResult<Vec<_>>>()?;
        let level = buyers_level(app, member, &rules, &mut versions).await?;
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
            points_rules: rules.points(),
            level: level.as_ref().and_then(|level| level.discount),
            points_percent: level.map_or(0, |level| level.points_percent),
            now,
        })
    }

    /// Reconstructs the basket of an order with the record versions of that time; none where a version is not available.
    ///
    /// # Errors
    /// Database errors.
    pub async fn of_order(
        app: &App,
        terms: &OrderTerms,
        placed_at: OffsetDateTime,
    ) -> AppResult<Option<Self>> {
        let Some(rules) = PricingRules::of_order(&app.store, terms).await? else {
            return Ok(None);
        };
        let mut versions = Vec::new();
        let mut lines = Vec::with_capacity(terms.purchases.len());
        for line in &terms.purchases {
            let requested = LineForm {
                product: line.product,
                option: line.option,
                quantity: line.quantity,
            };
            // Before parts could be chosen individually, such a set took all of them.
            let product = rules.products.get(&line.product);
            if line.option.is_none() && product.is_some_and(|one| one.data.is_choice()) {
                return Ok(None);
            }
            // It was on sale at that time; otherwise the records differ from those used then.
            match BasketLine::of(None, &requested, &rules, &mut versions) {
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
            // they were kept when it was placed
            points_rules: PointsRules::default(),
            level: rules.only_level().and_then(|level| level.discount),
            points_percent: rules.only_level().map_or(0, |level| level.points_percent),
            now: placed_at,
        }))
    }

    /// The price, with the contributions to each amount.
    ///
    /// # Errors
    /// The first rule violated.
    pub fn explained(&self) -> Result<(Quote, PriceTrace), PricingError> {
        explained(&self.request(&self.coupons, self.points))
    }

    /// The price.
    ///
    /// # Errors
    /// The first rule violated.
    pub fn quote(&self) -> Result<Quote, PricingError> {
        self.quote_with(&self.coupons, self.points)
    }

    /// What the order costs without points.
    ///
    /// # Errors
    /// The first rule violated.
    pub fn payable_without_points(&self) -> Result<Amount, PricingError> {
        Ok(self.quote_with(&self.coupons, Amount::ZERO)?.totals.payable)
    }

    /// The points the order earns once all its purchases are confirmed, at this price.
    ///
    /// # Errors
    /// The sum overflows.
    pub fn earns(&self, quote: &Quote) -> AppResult<Amount> {
        let rate = PointsRate {
            percent: self.points_percent,
            step: self.step,
        };
        let paid: Vec<Amount> = quote.purchases.iter().map(|line| line.paid).collect();
        Ok(rate.points(&paid)?)
    }

    /// Checks that the points to use keep the shop's rules.
    ///
    /// # Errors
    /// `invalid` at `point`, with the rule's code and words.
    pub fn check_points(&self) -> AppResult<()> {
        if self.points.is_zero() {
            return Ok(());
        }
        let payable = self.payable_without_points()?;
        match self.points_rules.broken(self.points, payable, self.step)? {
            None => Ok(()),
            Some(limit) => {
                let message = format!("적립금은 {}", self.points_rules.say(limit));
                Err(AppError::invalid_field("point", limit.code(), &message))
            }
        }
    }

    /// The price with other coupons and points.
    ///
    /// # Errors
    /// The first rule violated.
    pub fn quote_with(
        &self,
        coupons: &[CouponToUse],
        points: Amount,
    ) -> Result<Quote, PricingError> {
        quote(&self.request(coupons, points))
    }

    /// Calls `with` with this basket before its coupons, to try other coupons on it.
    ///
    /// # Errors
    /// The first rule that the goods violate.
    pub fn before_coupons<T>(
        &self,
        with: impl FnOnce(&BeforeCoupons<'_>) -> T,
    ) -> Result<T, PricingError> {
        let request = self.request(&[], Amount::ZERO);
        Ok(with(&BeforeCoupons::of(&request)?))
    }

    /// The product each stock aggregate must belong to.
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
        requested: &LineForm,
        rules: &PricingRules,
        versions: &mut Vec<RuleVersion>,
    ) -> AppResult<Self> {
        let not_on_sale = |why: &str| not_on_sale(requested.product, why);
        let found = rules
            .products
            .get(&requested.product)
            .ok_or_else(|| not_on_sale("removed"))?;
        if !found.data.shows {
            return Err(not_on_sale("hidden"));
        }
        let product = Arc::clone(&found.data);
        let categories = rules.categories(&product);
        let mut displays = Vec::new();
        for (id, display) in rules.displays(requested.product) {
            remember(versions, ProductDisplay::KIND, id, display.version);
            displays.push(display.data.code.as_str().to_owned());
        }
        for (id, exhibition) in rules.exhibitions(requested.product) {
            remember(versions, Exhibition::KIND, id, exhibition.version);
            displays.push(id.to_owned());
        }
        let group = shipping_group(requested.product, &product, &categories, &rules.groups)
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
        let option = requested.chosen();
        let own = StockId(option.map_or(requested.product.0, |option| option.0));
        let parts = product.parts_sold(option);
        let takes = match product.is_set() {
            false => vec![StockTaken {
                stock: own,
                quantity: requested.quantity,
            }],
            true => Line::parts_of(parts, requested.quantity)?,
        };
        let counted_for = match product.is_set() {
            false => vec![requested.product],
            true => parts.iter().map(|part| part.product).collect(),
        };
        let choice = parts.first().filter(|_| product.is_choice());
        let choice = choice.and_then(|part| Some(part.name(rules.part(part.product)?)));
        Ok(Self {
            cart,
            product_id: requested.product,
            version: found.version,
            option,
            quantity: requested.quantity,
            takes,
            counted_for,
            choice,
            categories,
            displays,
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

    /// Quantity ordered.
    pub fn quantity(&self) -> u32 {
        self.quantity
    }

    /// Quantity taken from a stock aggregate per unit of the line.
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
            displays: self.displays.clone(),
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

fn not_on_sale(product: ProductId, why: &str) -> AppError {
    AppError::new(Code::NotOnSale).with_details(json!({ "_product": product, "reason": why }))
}

/// Checks that a set has valid parts; missing products are reported elsewhere.
fn is_sound(id: ProductId, rules: &PricingRules) -> AppResult<()> {
    match rules.products.get(&id) {
        Some(product) if !rules.is_sound(&product.data) => Err(not_on_sale(id, "bundle")),
        _ => Ok(()),
    }
}

/// The number of a line that is not part of an order yet.
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
    app: &App,
    member: Option<MemberId>,
    ids: &[CartId],
) -> AppResult<Vec<RequestedLine>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let member = member.ok_or_else(|| AppError::new(Code::LoginRequired))?;
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
                .ok_or_else(AppError::not_found)?;
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

/// Rejects cart lines that were ordered before.
async fn refuse_ordered(app: &App, cart: Uuid, lines: &[String]) -> AppResult<()> {
    match ordered_lines::order_of(app.pool(), cart, lines, app.clock.now()).await? {
        Some(order) => Err(cart_ordered(&order)),
        None => Ok(()),
    }
}

async fn buyers_level(
    app: &App,
    member: Option<MemberId>,
    rules: &PricingRules,
    versions: &mut Vec<RuleVersion>,
) -> AppResult<Option<Arc<Level>>> {
    let Some(member) = member else {
        return Ok(None);
    };
    let member = app.store.load::<Member>(&member.to_string()).await?.state;
    // A token is valid for some minutes after the account is closed.
    if member.left {
        return Err(AppError::new(Code::LoginRequired));
    }
    let Some((id, level)) = rules.level_of(&member) else {
        return Ok(None);
    };
    remember(versions, Level::KIND, id, level.version);
    Ok(Some(Arc::clone(&level.data)))
}

/// The coupons of a form, with their frozen terms; only those in the member's own coupon box.
async fn coupons(
    app: &App,
    member: Option<MemberId>,
    wanted: &[CouponForm],
) -> AppResult<Vec<CouponToUse>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let member = member.ok_or_else(|| AppError::new(Code::LoginRequired))?;
    try_join_all(wanted.iter().map(|coupon| to_use(app, member, coupon))).await
}

async fn to_use(app: &App, member: MemberId, wanted: &CouponForm) -> AppResult<CouponToUse> {
    let IssuedCouponId(id) = wanted.issued;
    let coupon = app.store.load::<IssuedCoupon>(&id.to_string()).await?.state;
    let held = coupon
        .held
        .filter(|held| held.member == member)
        .ok_or_else(AppError::not_found)?;
    if coupon.used_on.is_some() {
        return Err(
            AppError::new(Code::CouponUsed).with_details(json!({ "_issued": wanted.issued }))
        );
    }
    if coupon.taken {
        return Err(
            AppError::new(Code::CouponTaken).with_details(json!({ "_issued": wanted.issued }))
        );
    }
    Ok(CouponToUse {
        issued: wanted.issued,
        coupon: held.coupon,
        terms: held.terms,
        purchase_no: wanted.purchase_no.clone(),
    })
}
