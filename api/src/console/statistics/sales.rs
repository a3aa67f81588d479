//! GET /api/console/statistics/{dailySales,monthlySales,dayOfWeekSales,productsSales}.

use std::collections::BTreeMap;

use axum::extract::State;
use projections::orders::{
    self, KeyedSales, ProductSales, Sales, SalesBy, SalesFilter, sales_by, sales_in_all,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Days, days_and_filter};
use crate::app::AppState;
use crate::console::period::Period;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Query, StaffOrSeller,
};

/// Maximum number of products in a response.
const PRODUCTS: i64 = 50;
/// Maximum number of rows; no period has more days, months or weekdays.
const ALL: i64 = 400;

/// Sales of a day.
#[derive(Serialize, ToSchema)]
pub struct DaySales {
    /// `2026-11-21`.
    day: String,
    /// Sales of the day.
    #[serde(flatten)]
    sales: Sales,
}

/// Sales of a month.
#[derive(Serialize, ToSchema)]
pub struct MonthSales {
    /// `2026-11`.
    month: String,
    /// Sales of the month.
    #[serde(flatten)]
    sales: Sales,
}

/// Sales of a weekday.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekdaySales {
    /// 1 is Monday, 7 is Sunday.
    day_of_week: u8,
    /// Sales of the weekday.
    #[serde(flatten)]
    sales: Sales,
}

/// Sales by day, including days without sales.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailyAnswer {
    /// Total of the period.
    summary: Sales,
    /// The period.
    days: Days,
    /// Sales by day.
    daily_sales: Vec<DaySales>,
}

/// Sales by month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MonthlyAnswer {
    /// Total of the period.
    summary: Sales,
    /// The period.
    days: Days,
    /// Sales by month.
    monthly_sales: Vec<MonthSales>,
}

/// Sales by weekday, all seven.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekdaysAnswer {
    /// Total of the period.
    summary: Sales,
    /// The period.
    days: Days,
    /// Sales by weekday, Monday first.
    day_of_week_sales: Vec<WeekdaySales>,
}

/// Sales by product.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductsAnswer {
    /// Total of the period.
    summary: Sales,
    /// The period.
    days: Days,
    /// Sales by product, highest first.
    products_sales: Vec<ProductSales>,
}

/// Sales of a period: the rows and their sum.
struct PeriodSales {
    days: Days,
    summary: Sales,
    rows: Vec<KeyedSales>,
}

async fn period_sales(
    app: &AppState,
    who: &StaffOrSeller,
    period: &Period,
    by: SalesBy,
    limit: i64,
) -> AppResult<PeriodSales> {
    let (days, filter): (Days, SalesFilter) = days_and_filter(app, who.rows, period)?;
    Ok(PeriodSales {
        days,
        summary: sales_in_all(app.pool(), &filter).await?,
        rows: sales_by(app.pool(), by, &filter, limit).await?,
    })
}

fn by_key(rows: Vec<KeyedSales>) -> BTreeMap<String, Sales> {
    rows.into_iter().map(|row| (row.key, row.sales)).collect()
}

/// Sales by day.
///
/// # Errors
/// `access_denied`, `invalid_query`.
#[utoipa::path(
    get, path = "/api/console/statistics/dailySales", tag = "console", operation_id = "dailySales",
    params(Period), security(("access" = [])), responses((status = OK, body = DailyAnswer))
)]
pub(crate) async fn daily(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(period): Query<Period>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<DailyAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let found = period_sales(&app, &who, &period, SalesBy::Day, ALL).await?;
    let sold = by_key(found.rows);
    let daily_sales = found
        .days
        .each()
        .map(|day| {
            let day = day.to_string();
            let sales = sold.get(&day).copied().unwrap_or_default();
            DaySales { day, sales }
        })
        .collect();
    Ok(fresh.answer(DailyAnswer {
        summary: found.summary,
        days: found.days,
        daily_sales,
    }))
}

/// Sales by month.
///
/// # Errors
/// `access_denied`, `invalid_query`.
#[utoipa::path(
    get, path = "/api/console/statistics/monthlySales", tag = "console", operation_id = "monthlySales",
    params(Period), security(("access" = [])), responses((status = OK, body = MonthlyAnswer))
)]
pub(crate) async fn monthly(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(period): Query<Period>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<MonthlyAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let found = period_sales(&app, &who, &period, SalesBy::Month, ALL).await?;
    let monthly_sales = found
        .rows
        .into_iter()
        .map(|row| MonthSales {
            month: row.key,
            sales: row.sales,
        })
        .collect();
    Ok(fresh.answer(MonthlyAnswer {
        summary: found.summary,
        days: found.days,
        monthly_sales,
    }))
}

/// Sales by weekday.
///
/// # Errors
/// `access_denied`, `invalid_query`.
#[utoipa::path(
    get, path = "/api/console/statistics/dayOfWeekSales", tag = "console", operation_id = "dayOfWeekSales",
    params(Period), security(("access" = [])), responses((status = OK, body = WeekdaysAnswer))
)]
pub(crate) async fn weekdays(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(period): Query<Period>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<WeekdaysAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let found = period_sales(&app, &who, &period, SalesBy::Weekday, ALL).await?;
    let sold = by_key(found.rows);
    let day_of_week_sales = (1..=7)
        .map(|day_of_week: u8| WeekdaySales {
            day_of_week,
            sales: sold
                .get(&day_of_week.to_string())
                .copied()
                .unwrap_or_default(),
        })
        .collect();
    Ok(fresh.answer(WeekdaysAnswer {
        summary: found.summary,
        days: found.days,
        day_of_week_sales,
    }))
}

/// The best-selling products.
///
/// # Errors
/// `access_denied`, `invalid_query`.
#[utoipa::path(
    get, path = "/api/console/statistics/productsSales", tag = "console", operation_id = "productsSales",
    params(Period), security(("access" = [])), responses((status = OK, body = ProductsAnswer))
)]
pub(crate) async fn products(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(period): Query<Period>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<ProductsAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let found = period_sales(&app, &who, &period, SalesBy::Product, PRODUCTS).await?;
    let mut products_sales = Vec::with_capacity(found.rows.len());
    for row in found.rows {
        products_sales.push(ProductSales {
            product: row.key.parse().map_err(|_| AppError::not_found())?,
            name: row.name,
            sales: row.sales,
        });
    }
    Ok(fresh.answer(ProductsAnswer {
        summary: found.summary,
        days: found.days,
        products_sales,
    }))
}
