//! POST /api/v1/shop/orders/preview: the price of an order, and which coupons and points can be used.

use axum::extract::State;
use domain::Amount;
use domain::coupon::Stage;
use domain::ids::{CartId, IssuedCouponId, MemberId};
use domain::pricing::coupon::CouponRefusal;
use domain::pricing::{BestCoupons, CouponTrial, PricingError, Quote};
use domain::shipping::Area;
use projections::member_coupons;
use projections::stock;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResult, AppResult, Json, OptionalMember, Query, ValidJson};
use crate::shop::coupons::{CouponOffer, offers_with};
use crate::shop::points::{self, UsablePoints};
use application::orders::basket::{Basket, number};
use application::orders::form::{CouponForm, OrderForm};

/// What to add to the preview.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PreviewQuery {
    /// `offers` for the first of the lines sent: the coupons that take something off it and that the member can download.
    #[serde(default)]
    #[param(required = false)]
    offers: bool,
}

/// Preview of an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// Its price.
    pub quote: Quote,
    /// The coupons in the member's coupon box, and where each can be used.
    pub coupons: Vec<CouponChoice>,
    /// The set of them that takes off most, whatever is chosen now; missing if none applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_coupons: Option<CouponSet>,
    /// The points that can be used, and those it earns.
    pub points: OrderPoints,
    /// With `offers`: the coupons that can be downloaded for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offers: Option<Vec<CouponOffer>>,
    /// Surcharge area of the receiver.
    pub area: Area,
    /// The lines.
    pub lines: Vec<PreviewLine>,
}

/// The points of an order.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderPoints {
    /// Those that can be used.
    #[serde(flatten)]
    pub usable: UsablePoints,
    /// Those the member earns once all its purchases are confirmed, hundredths: by their membership level, of what is paid for the goods.
    pub earns: Amount,
}

/// A coupon, and whether it can be used.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponChoice {
    /// The issued coupon.
    #[serde(rename = "_issued")]
    pub issued: IssuedCouponId,
    /// Its name.
    pub name: String,
    /// Stage of the price calculation.
    pub stage: Stage,
    /// Lines it applies to.
    pub applicable: Vec<String>,
    /// Its discount as the only coupon.
    pub takes: Vec<CouponAmount>,
    /// Why it was left out of the price, or applies to no line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<CouponRefusal>,
}

/// A discount of a coupon.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponAmount {
    /// The line, or the line of the parcel, it applies to; if missing, it applies to all eligible parts of the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purchase_no: Option<String>,
    /// Hundredths.
    pub amount: Amount,
}

/// Coupons to use together.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponSet {
    /// The coupons, as an order names them.
    pub coupons: Vec<CouponForm>,
    /// Their discount together, hundredths.
    pub amount: Amount,
}

/// One line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewLine {
    /// Its number.
    pub purchase_no: String,
    /// The cart line it comes from.
    #[serde(rename = "_cart", skip_serializing_if = "Option::is_none")]
    pub cart: Option<CartId>,
    /// Quantity in stock.
    pub stock_left: i64,
}

/// Price an order.
#[utoipa::path(
    post, path = "/api/v1/shop/orders/preview", tag = "shop", operation_id = "previewOrder", params(PreviewQuery), request_body = OrderForm,
    responses((status = OK, body = Preview), (status = CONFLICT, description = "not_on_sale"))
)]
pub(crate) async fn preview(
    State(app): State<AppState>,
    who: OptionalMember,
    Query(query): Query<PreviewQuery>,
    ValidJson { body, .. }: ValidJson<OrderForm>,
) -> ApiResult<Json<Preview>> {
    let basket = Basket::of(&app, who.member(), &body).await?;
    let preview = of_basket(&app, who.member(), basket).await?;
    let line = body.carts.into_iter().next().filter(|_| query.offers);
    let offers = match (who.member(), line) {
        (Some(member), Some(line)) => Some(offers_with(&app, member, line).await?),
        _ => None,
    };
    Ok(Json(Preview { offers, ..preview }))
}

/// Previews a basket. A coupon that does not apply is left out with its reason; points are reduced to the amount to pay.
///
/// # Errors
/// Rules about the goods themselves.
pub(crate) async fn of_basket(
    app: &AppState,
    member: Option<MemberId>,
    mut basket: Basket,
) -> AppResult<Preview> {
    let refused = leave_out_what_does_not_apply(&mut basket)?;
    let payable = basket.payable_without_points()?;
    let available = match member {
        Some(member) => points::available(app, member).await?,
        None => Amount::ZERO,
    };
    let rules = (basket.points_rules, basket.step);
    let points = UsablePoints::of(rules, available, payable)?;
    let wanted = basket.points.min(points.usable);
    basket.points = UsablePoints::of(rules, wanted, payable)?.usable;
    let (coupons, best_coupons) = match member {
        Some(member) => choices(app, member, &basket, &refused).await?,
        None => (Vec::new(), None),
    };
    let quote = basket.quote()?;
    let points = OrderPoints {
        usable: points,
        earns: basket.earns(&quote)?,
    };
    Ok(Preview {
        quote,
        coupons,
        best_coupons,
        points,
        offers: None,
        area: basket.area,
        lines: lines(app, &basket).await?,
    })
}

fn leave_out_what_does_not_apply(
    basket: &mut Basket,
) -> AppResult<Vec<(IssuedCouponId, CouponRefusal)>> {
    let mut refused = Vec::new();
    loop {
        match basket.quote_with(&basket.coupons, Amount::ZERO) {
            Err(PricingError::CouponNotApplicable { issued, why }) => {
                basket.coupons.retain(|coupon| coupon.issued != issued);
                refused.push((issued, why));
            }
            other => {
                other?;
                return Ok(refused);
            }
        }
    }
}

/// Tries every coupon of the coupon box alone in every place, and finds the best set.
async fn choices(
    app: &AppState,
    member: MemberId,
    basket: &Basket,
    refused: &[(IssuedCouponId, CouponRefusal)],
) -> AppResult<(Vec<CouponChoice>, Option<CouponSet>)> {
    let rows = member_coupons::usable_coupons(app.pool(), member, app.clock.now()).await?;
    Ok(basket.before_coupons(|before| {
        let trials: Vec<CouponTrial<'_>> = rows
            .iter()
            .map(|row| before.tried(row.id, &row.terms))
            .collect();
        let best = before.best_of(&trials);
        let choices = trials.iter().map(|trial| choice(trial, basket, refused));
        (choices.collect(), best.map(CouponSet::from))
    })?)
}

impl From<BestCoupons> for CouponSet {
    fn from(best: BestCoupons) -> Self {
        let coupons = best.coupons.into_iter();
        Self {
            coupons: coupons
                .map(|(issued, line)| CouponForm {
                    issued,
                    purchase_no: line.map(number),
                })
                .collect(),
            amount: best.discount,
        }
    }
}

fn choice(
    trial: &CouponTrial<'_>,
    basket: &Basket,
    refused: &[(IssuedCouponId, CouponRefusal)],
) -> CouponChoice {
    let mut takes = Vec::new();
    let mut whys = Vec::new();
    for (line, discount) in &trial.discounts {
        match discount {
            Ok(amount) => takes.push(CouponAmount {
                purchase_no: line.map(number),
                amount: *amount,
            }),
            Err(why) => whys.push(*why),
        }
    }
    let stage = trial.terms.stage;
    let applicable = match stage {
        Stage::Total if takes.is_empty() => Vec::new(),
        Stage::Total => (0..basket.lines.len()).map(number).collect(),
        Stage::Product | Stage::Fare => takes
            .iter()
            .filter_map(|taken| taken.purchase_no.clone())
            .collect(),
    };
    let chosen = refused
        .iter()
        .find(|(issued, _)| *issued == trial.issued)
        .map(|(_, why)| *why);
    let fits_nothing = whys.first().copied().filter(|_| applicable.is_empty());
    CouponChoice {
        issued: trial.issued,
        name: trial.terms.name.clone(),
        stage,
        applicable,
        takes,
        why: chosen.or(fits_nothing),
    }
}

async fn lines(app: &AppState, basket: &Basket) -> AppResult<Vec<PreviewLine>> {
    let ids: Vec<_> = basket
        .lines
        .iter()
        .flat_map(|line| line.takes.iter().map(|taken| taken.stock))
        .collect();
    let rows = stock::stock(app.pool(), &ids).await?;
    let available = |id| {
        rows.iter()
            .find(|row| row.id == id)
            .map_or(0, |row| row.available)
    };
    Ok(basket
        .lines
        .iter()
        .enumerate()
        .map(|(place, line)| PreviewLine {
            purchase_no: number(place),
            cart: line.cart,
            stock_left: line
                .takes
                .iter()
                .map(|taken| {
                    available(taken.stock)
                        .checked_div(line.pieces_of(taken))
                        .unwrap_or(0)
                })
                .min()
                .unwrap_or(0),
        })
        .collect())
}
