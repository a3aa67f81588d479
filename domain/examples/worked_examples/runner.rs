//! Reads worked examples (id, topic, input, expected, explanation; separated by tabs, JSON in the middle) and evaluates them.
//!
//! An unknown topic and any unknown key count as differences and are not skipped.

use domain::Amount;
use domain::catalogue::{Discount, ValueUnit};
use domain::coupon::Stage;
use domain::distance::Kilometres;
use domain::pricing::discount_allocation::{
    AllocationStep, AllocationTarget, FarePortions, allocate,
};
use domain::pricing::fare::{bundled, by_piece, fare, island_fee, service_fee};
use domain::pricing::{discount::discount_amount, tax::tax_of};
use domain::rounding::RoundingStep;
use domain::shipping::{
    Area, ChargeType, Geolocation, IslandFee, PriceStep, ServiceFee, ShippingOption, TravelStep,
};
use domain::shown::{Ago, ranking};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Result of running a file.
pub struct Report {
    /// Rows read.
    pub rows: usize,
    /// One text for each row that differs.
    pub differences: Vec<String>,
}

/// Runs every row of a file.
pub fn run(text: &str) -> Report {
    let mut report = Report {
        rows: 0,
        differences: Vec::new(),
    };
    let rows = text
        .trim_start_matches('\u{feff}')
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with("id\t"));
    for row in rows {
        report.rows += 1;
        if let Err(difference) = row_holds(row) {
            report.differences.push(difference);
        }
    }
    report
}

fn row_holds(row: &str) -> Result<(), String> {
    let mut cells = row.split('\t');
    let mut cell = |name: &str| cells.next().ok_or(format!("{row}: no {name}"));
    let (id, topic) = (cell("id")?, cell("topic")?);
    let (input, expected) = (cell("input")?, cell("expected")?);
    let differs = |expected: &str, got: &str| {
        format!("{id} {topic}: input {input} expected {expected} got {got}")
    };
    let wanted: Map<String, Value> =
        parse(expected).map_err(|error| differs(expected, &format!("unreadable: {error}")))?;
    let got = answer(topic, input, &wanted).map_err(|error| differs(expected, &error))?;
    let holds = wanted
        .iter()
        .all(|(key, value)| got.get(key) == Some(value));
    if holds && !wanted.is_empty() {
        Ok(())
    } else {
        Err(differs(expected, &Value::Object(got).to_string()))
    }
}

/// Our results, with the keys the topic supports.
fn answer(
    topic: &str,
    input: &str,
    wanted: &Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    let answer = match topic {
        "coupon" => coupon(parse(input)?),
        "coupon-order" | "order-full" => order(parse(input)?),
        "fare-price-range" | "fare-bundle" | "fare-mixed" | "fare-island" | "fare-service"
        | "fare-distance" | "fare-full" => fares(&parse(input)?),
        "tax" => tax(parse(input)?),
        "haversine" => haversine(&parse(input)?, wanted),
        "relative-time" => relative_time(parse(input)?),
        "ranking-diff" => ranks(parse(input)?),
        "price-display" => price_display(parse(input)?),
        _ => Err("unknown topic".to_owned()),
    }?;
    match answer {
        Value::Object(answer) => Ok(answer),
        other => Err(format!("not an object: {other}")),
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CouponValue {
    unit: ValueUnit,
    value: i64,
    limit: Option<Amount>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CouponRow {
    amount: Amount,
    coupon: CouponValue,
}

fn coupon(row: CouponRow) -> Result<Value, String> {
    let CouponValue { unit, value, limit } = row.coupon;
    let discount = discount_amount(
        &Discount { unit, value, limit },
        row.amount,
        RoundingStep::HUNDREDTH,
    )
    .map_err(message)?;
    let remaining = row.amount.minus(discount).map_err(message)?;
    Ok(json!({ "discount": discount, "remaining": remaining }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderLine {
    id: Value,
    amount: Amount,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderCoupon {
    stage: Stage,
    line: Option<Value>,
    unit: ValueUnit,
    value: i64,
    limit: Option<Amount>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct OrderRow {
    lines: Vec<OrderLine>,
    #[serde(default)]
    fare: Amount,
    #[serde(default)]
    island_fee: Amount,
    #[serde(default)]
    service_fee: Amount,
    #[serde(default)]
    coupons: Vec<OrderCoupon>,
}

fn order(row: OrderRow) -> Result<Value, String> {
    let lines: Vec<Amount> = row.lines.iter().map(|line| line.amount).collect();
    let fare = FarePortions {
        fare: row.fare,
        fees: row.island_fee.plus(row.service_fee).map_err(message)?,
    };
    let steps = row
        .coupons
        .iter()
        .map(|coupon| {
            Ok(AllocationStep {
                target: match coupon.stage {
                    Stage::Product => {
                        AllocationTarget::Line(line_of(&row.lines, coupon.line.as_ref())?)
                    }
                    Stage::Fare => AllocationTarget::Fares(vec![0]),
                    Stage::Total => AllocationTarget::Total {
                        lines: (0..lines.len()).collect(),
                        fares: vec![0],
                    },
                },
                discount: Discount {
                    unit: coupon.unit,
                    value: coupon.value,
                    limit: coupon.limit,
                },
            })
        })
        .collect::<Result<Vec<_>, String>>()?;
    let outcome = allocate(
        &lines,
        &[fare],
        &steps,
        Amount::ZERO,
        RoundingStep::HUNDREDTH,
    )
    .map_err(message)?;
    let taken = |stage| {
        Amount::total(
            steps
                .iter()
                .zip(&outcome.steps)
                .filter(|(step, _)| step.target.stage() == stage)
                .map(|(_, taken)| taken.amount),
        )
        .map_err(message)
    };
    let left = outcome.lines.iter().chain(&outcome.fares).copied();
    let payable = Amount::total(left).map_err(message)?;
    Ok(json!({
        "productDiscount": taken(Stage::Product)?,
        "fareDiscount": taken(Stage::Fare)?,
        "totalDiscount": taken(Stage::Total)?,
        "payable": payable,
        "taxTotal": tax_of(payable, RoundingStep::HUNDREDTH).map_err(message)?.tax_total,
    }))
}

/// The index of the line a product coupon refers to; optional for an order of one line.
fn line_of(lines: &[OrderLine], named: Option<&Value>) -> Result<usize, String> {
    match named {
        None if lines.len() == 1 => Ok(0),
        None => Err("a product coupon names no line".to_owned()),
        Some(id) => lines
            .iter()
            .position(|line| line.id == *id)
            .ok_or(format!("no line {id}")),
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    lat: f64,
    lng: f64,
}

impl Point {
    const fn geolocation(self) -> Geolocation {
        Geolocation {
            longitude: self.lng,
            latitude: self.lat,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceRow {
    price: Amount,
    amount: Amount,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TravelRow {
    distance: f64,
    amount: Amount,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct IslandRow {
    #[serde(rename = "isActive")]
    is_active: bool,
    #[serde(rename = "amount__base", default)]
    base: Amount,
    #[serde(rename = "amount__jeju", default)]
    jeju: Amount,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ServiceRow {
    is_active: bool,
    #[serde(default)]
    amount: Amount,
}

/// All keys of a row about fares.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FareRow {
    charge: Option<String>,
    fixed_amount: Option<Amount>,
    sale_price: Option<Amount>,
    prices_range: Option<Vec<PriceRow>>,
    distance_km: Option<f64>,
    from: Option<Point>,
    to: Option<Point>,
    travel_range: Option<Vec<TravelRow>>,
    bundle: Option<bool>,
    fares: Option<Vec<Amount>>,
    bundle_fares: Option<Vec<Amount>>,
    piece_fares: Option<Vec<Amount>>,
    island: Option<IslandRow>,
    area: Option<String>,
    service: Option<ServiceRow>,
    quantity: Option<u32>,
}

fn fares(row: &FareRow) -> Result<Value, String> {
    let mut fares = row.fares.clone().unwrap_or_default();
    for charge in charges(row)? {
        fares.push(charged(row, charge)?);
    }
    let lists = row.bundle_fares.is_some() || row.piece_fares.is_some();
    if fares.is_empty() && row.fares.is_none() && !lists {
        return Err("nothing says what the fare is".to_owned());
    }
    let own = match row.bundle {
        Some(true) => bundled(fares),
        None if row.fares.is_some() => return Err("bundle is missing".to_owned()),
        Some(false) | None => by_piece(fares).map_err(message)?,
    };
    let fare = by_piece(
        [own, bundled(row.bundle_fares.iter().flatten().copied())]
            .into_iter()
            .chain(row.piece_fares.iter().flatten().copied()),
    )
    .map_err(message)?;
    let island_fee = match row.island {
        None => Amount::ZERO,
        Some(island) => island_fee(
            &IslandFee {
                is_active: island.is_active,
                amount_base: island.base,
                amount_jeju: island.jeju,
            },
            area(row.area.as_deref())?,
        )
        .map_err(message)?,
    };
    let service_fee = match row.service {
        None => Amount::ZERO,
        Some(ServiceRow { is_active, amount }) => {
            service_fee(&ServiceFee { is_active, amount }, row.quantity.unwrap_or(1))
                .map_err(message)?
        }
    };
    let total = Amount::total([fare, island_fee, service_fee]).map_err(message)?;
    Ok(json!({ "fare": fare, "islandFee": island_fee, "serviceFee": service_fee, "total": total }))
}

/// The charge types of a row: the one it names, else those it has numbers for.
fn charges(row: &FareRow) -> Result<Vec<ChargeType>, String> {
    let Some(name) = &row.charge else {
        let given = [
            (row.fixed_amount.is_some(), ChargeType::Fixed),
            (row.prices_range.is_some(), ChargeType::PriceRange),
            (row.travel_range.is_some(), ChargeType::TravelRange),
        ];
        return Ok(given
            .into_iter()
            .filter(|(given, _)| *given)
            .map(|(_, charge)| charge)
            .collect());
    };
    let letters: String = name
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    match letters.trim_start_matches("by") {
        "fixed" | "fixedamount" => Ok(vec![ChargeType::Fixed]),
        "payondelivery" | "freeondelivery" | "free" => Ok(vec![ChargeType::PayOnDelivery]),
        "pricerange" | "pricesrange" => Ok(vec![ChargeType::PriceRange]),
        "travelrange" | "traveldistance" | "distance" => Ok(vec![ChargeType::TravelRange]),
        _ => Err(format!("unknown charge {name}")),
    }
}

fn charged(row: &FareRow, charge_type: ChargeType) -> Result<Amount, String> {
    let needed = |what: &str| format!("{what} is missing");
    let mut option = ShippingOption {
        charge_type,
        ..ShippingOption::default()
    };
    let mut goods = Amount::ZERO;
    let mut distance = None;
    match charge_type {
        ChargeType::PayOnDelivery => {}
        ChargeType::Fixed => {
            option.fixed_amount = row.fixed_amount.ok_or_else(|| needed("fixedAmount"))?;
        }
        ChargeType::PriceRange => {
            goods = row.sale_price.ok_or_else(|| needed("salePrice"))?;
            option.prices_range = row
                .prices_range
                .iter()
                .flatten()
                .map(|PriceRow { price, amount }| PriceStep {
                    price: *price,
                    amount: *amount,
                })
                .collect();
        }
        ChargeType::TravelRange => {
            distance = Some(in_millimetres(kilometres(row)?.get())?)
                .and_then(|millimetres| Kilometres::new(f64::from(millimetres)));
            option.travel_range = row
                .travel_range
                .iter()
                .flatten()
                .map(|TravelRow { distance, amount }| {
                    Ok(TravelStep {
                        distance: in_millimetres(*distance)?,
                        amount: *amount,
                    })
                })
                .collect::<Result<_, String>>()?;
        }
    }
    fare(&option, goods, distance).map_err(message)
}

fn kilometres(row: &FareRow) -> Result<Kilometres, String> {
    match (row.distance_km, row.from, row.to) {
        (Some(km), _, _) => Kilometres::new(km),
        (None, Some(from), Some(to)) => Kilometres::between(from.geolocation(), to.geolocation()),
        _ => None,
    }
    .ok_or("the distance is unknown".to_owned())
}

/// The rule compares a distance with whole thresholds. An example may use thresholds like 2.5 km, so both sides are converted to a unit in
/// which they are whole.
#[expect(
    clippy::float_arithmetic,
    reason = "only the unit of a distance changes"
)]
fn in_millimetres(km: f64) -> Result<u32, String> {
    format!("{:.0}", km * 1e6)
        .parse()
        .map_err(|_| format!("{km} km is no distance on earth"))
}

fn area(name: Option<&str>) -> Result<Area, String> {
    match name {
        None | Some("none") => Ok(Area::None),
        Some("island" | "base") => Ok(Area::Island),
        Some("jeju") => Ok(Area::Jeju),
        Some(other) => Err(format!("unknown area {other}")),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TaxRow {
    total_amount: Amount,
}

fn tax(row: TaxRow) -> Result<Value, String> {
    let tax = tax_of(row.total_amount, RoundingStep::HUNDREDTH).map_err(message)?;
    Ok(json!({
        "taxTotal": tax.tax_total,
        "supplyCostTotal": tax.supply_cost_total,
        "totalAmount": row.total_amount,
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct HaversineRow {
    from: Point,
    to: Point,
    radius_km: Option<f64>,
    within_km: Option<f64>,
}

/// `km` is returned as in the row if it is near enough (`toleranceKm`, half a metre by default).
#[expect(
    clippy::float_arithmetic,
    reason = "kilometres are compared within a tolerance"
)]
fn haversine(row: &HaversineRow, wanted: &Map<String, Value>) -> Result<Value, String> {
    let radius = row.radius_km.unwrap_or(domain::distance::EARTH_RADIUS_KM);
    let km = Kilometres::on_sphere(row.from.geolocation(), row.to.geolocation(), radius)
        .ok_or("not a distance")?
        .get();
    let tolerance = wanted.get("toleranceKm").cloned();
    let near = tolerance.as_ref().and_then(Value::as_f64).unwrap_or(0.0005);
    let shown = match wanted.get("km").and_then(Value::as_f64) {
        Some(expected) if (expected - km).abs() <= near => wanted.get("km").cloned(),
        _ => None,
    };
    let mut answer = json!({ "km": shown.unwrap_or_else(|| json!(km)) });
    if let Some(answer) = answer.as_object_mut() {
        if let Some(within) = row.within_km {
            answer.insert("within".to_owned(), json!(km <= within));
        }
        if let Some(tolerance) = tolerance {
            answer.insert("toleranceKm".to_owned(), tolerance);
        }
    }
    Ok(answer)
}

/// One value or a list of them; the result has the same shape.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    fn map_json<U: Serialize>(self, tell: impl Fn(T) -> U) -> Value {
        match self {
            Self::One(value) => json!(tell(value)),
            Self::Many(values) => json!(values.into_iter().map(tell).collect::<Vec<_>>()),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ElapsedRow {
    elapsed_seconds: OneOrMany<u64>,
}

fn relative_time(row: ElapsedRow) -> Result<Value, String> {
    let parts = row.elapsed_seconds.map_json(|seconds| {
        let Ago { unit, count } = Ago::of_seconds(seconds);
        (unit, count)
    });
    Ok(json!({ "parts": parts }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RankingCount {
    #[serde(rename = "_id")]
    id: String,
    count: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RankingRow {
    previous: Vec<RankingCount>,
    current: Vec<RankingCount>,
}

fn ranks(row: RankingRow) -> Result<Value, String> {
    let counts = |day: Vec<RankingCount>| -> Vec<(String, u64)> {
        day.into_iter()
            .map(|counted| (counted.id, counted.count))
            .collect()
    };
    let ranks: Vec<_> = ranking(&counts(row.previous), &counts(row.current))
        .into_iter()
        .map(|ranked| (ranked.id, ranked.rank, ranked.change, ranked.steps))
        .collect();
    Ok(json!({ "ranks": ranks }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRow {
    stored: OneOrMany<Amount>,
}

fn price_display(row: StoredRow) -> Result<Value, String> {
    Ok(json!({ "text": row.stored.map_json(|amount| amount.to_string()) }))
}
