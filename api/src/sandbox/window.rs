//! The payment window: the script a shop's page loads, the page a buyer sees, and the way back to the shop.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use domain::Amount;
use serde::Deserialize;
use serde_json::{Value, json};

use super::NAME;
use super::book::{Authentication, Charge, Refusal, ShownAccount, issuing_banks};
use super::desk::Desk;
use crate::integrations::payment::sign::sign_return;
use crate::integrations::payment::units::GatewayAmount;
use crate::integrations::payment::window::METHODS;

/// Defines `AUTHNICE.requestPay`.
const SCRIPT: &str = include_str!("window/script.js");

/// Posts the only form of a page.
const POST_ON: &str = include_str!("window/post_on.js");

const PAY_PAGE: &str = include_str!("window/pay.html");
const BACK_PAGE: &str = include_str!("window/back.html");
const WRONG_PAGE: &str = include_str!("window/wrong.html");
const ACCOUNTS_PAGE: &str = include_str!("window/accounts.html");
const HOME_PAGE: &str = include_str!("window/home.html");

pub(super) fn routes() -> Router<Arc<Desk>> {
    Router::new()
        .route("/", get(home))
        .route("/v1/js/", get(|| script(SCRIPT)))
        .route("/pay/post-on.js", get(|| script(POST_ON)))
        .route("/pay", get(open_by_address).post(open))
        .route("/pay/decision", post(decide))
        .route("/pay/accounts", get(accounts).post(pay_in))
}

/// What a shop's page asks the window for, as `AUTHNICE.requestPay` is called.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Wish {
    client_id: String,
    method: String,
    order_id: String,
    #[serde(deserialize_with = "number_or_text")]
    amount: i64,
    goods_name: String,
    return_url: String,
    pub(super) mall_reserved: String,
    vbank_holder: String,
    #[serde(deserialize_with = "number_or_nothing")]
    vbank_valid_hours: Option<u32>,
    /// The bank the buyer chose in the window.
    bank: String,
    /// The button, once one was pressed.
    decision: String,
}

/// Forms bring text, which may be empty; JSON brings a number.
fn number_or_nothing<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let given: Value = Deserialize::deserialize(from)?;
    let number = match &given {
        Value::String(text) => text.parse().ok(),
        other => other.as_u64().and_then(|number| number.try_into().ok()),
    };
    Ok(number)
}

/// Forms bring text, JSON brings a number.
fn number_or_text<'de, D: serde::Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(i64),
        Text(String),
    }
    match Either::deserialize(from)? {
        Either::Number(number) => Ok(number),
        Either::Text(text) => text.trim().parse().map_err(serde::de::Error::custom),
    }
}

impl TryFrom<Wish> for Authentication {
    type Error = &'static str;

    /// Checks what the window would check.
    fn try_from(wish: Wish) -> Result<Self, &'static str> {
        let method = match wish.method.is_empty() {
            true => "card".to_owned(),
            false => wish.method,
        };
        if wish.amount <= 0 {
            return Err("결제 금액은 0보다 커야 합니다");
        }
        if wish.order_id.is_empty() || wish.order_id.len() > 64 {
            return Err("주문 번호는 1자에서 64자여야 합니다");
        }
        if wish.goods_name.chars().count() > 40 {
            return Err("상품 이름은 40자까지입니다");
        }
        if wish.mall_reserved.chars().count() > 500 || wish.mall_reserved.contains('"') {
            return Err("mallReserved는 500자까지이고 큰따옴표를 쓸 수 없습니다");
        }
        if !METHODS.contains(&method.as_str()) {
            return Err("알 수 없는 결제 수단입니다");
        }
        if method == "vbank" && wish.vbank_holder.is_empty() {
            return Err("가상 계좌에는 예금주 이름이 필요합니다");
        }
        Ok(Self {
            method,
            order_id: wish.order_id,
            amount: wish.amount,
            goods_name: wish.goods_name,
            mall_reserved: wish.mall_reserved,
            holder: wish.vbank_holder,
            bank: wish.bank,
            valid_hours: wish.vbank_valid_hours,
            ..Self::default()
        })
    }
}

impl Desk {
    /// The fields the browser brings to the return page. Only an authenticated payment has an id and a signature.
    pub(super) fn return_fields(
        &self,
        result: Result<&Authentication, &Refusal>,
        mall_reserved: &str,
    ) -> Value {
        match result {
            Ok(a) => {
                let amount = a.amount.to_string();
                let client = &self.options.client_key;
                let signature = sign_return(&self.options.secret, &a.auth_token, client, &amount);
                json!({
                    "authResultCode": "0000", "authResultMsg": format!("인증 성공 ({NAME})"), "tid": a.tid,
                    "clientId": client, "orderId": a.order_id, "amount": amount, "mallReserved": a.mall_reserved,
                    "authToken": a.auth_token, "signature": signature,
                })
            }
            Err(refusal) => json!({
                "authResultCode": refusal.code, "authResultMsg": format!("{} ({NAME})", refusal.message),
                "mallReserved": mall_reserved,
            }),
        }
    }

    /// An amount as people read it.
    fn shown(&self, units: i64) -> String {
        let currency = &self.options.currency;
        match currency.from_gateway(GatewayAmount(units)) {
            Ok(amount) if currency.exponent() == 0 => {
                format!("{} {}", amount.hundredths() / 100, currency.code())
            }
            Ok(amount) => format!("{} {}", Amount::to_string(&amount), currency.code()),
            Err(_) => format!("{units} {}", currency.code()),
        }
    }
}

async fn home() -> Response {
    page(HOME_PAGE, &[])
}

async fn script(text: &'static str) -> Response {
    (
        [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")],
        text,
    )
        .into_response()
}

async fn open_by_address(desk: State<Arc<Desk>>, Query(wish): Query<Wish>) -> Response {
    open(desk, Form(wish)).await
}

/// Shows what is to be paid.
async fn open(State(desk): State<Arc<Desk>>, Form(wish): Form<Wish>) -> Response {
    if let Err(why) = desk.can_open(&wish) {
        return wrong(why);
    }
    let hidden = hidden_fields(&json!({
        "clientId": wish.client_id, "method": wish.method, "orderId": wish.order_id, "amount": wish.amount,
        "goodsName": wish.goods_name, "returnUrl": wish.return_url, "mallReserved": wish.mall_reserved,
        "vbankHolder": wish.vbank_holder,
        "vbankValidHours": wish.vbank_valid_hours.map(|hours| hours.to_string()).unwrap_or_default(),
    }));
    let marks = [
        ("ORDER", escaped(&wish.order_id)),
        ("GOODS", escaped(&wish.goods_name)),
        ("AMOUNT", escaped(&desk.shown(wish.amount))),
        ("METHOD", escaped(method_name(&wish.method))),
        ("ACCOUNT", account_choice(&wish)),
        ("HIDDEN", hidden),
    ];
    page(PAY_PAGE, &marks)
}

/// Does what the button says and sends the browser back to the shop.
async fn decide(State(desk): State<Arc<Desk>>, Form(wish): Form<Wish>) -> Response {
    if let Err(why) = desk.can_open(&wish) {
        return wrong(why);
    }
    let (back_to, mall_reserved) = (wish.return_url.clone(), wish.mall_reserved.clone());
    let authenticated = match wish.decision.as_str() {
        "pay" => Authentication::try_from(wish)
            .map_err(|why| Refusal::because("2003", why))
            .and_then(|wish| desk.authenticate(wish)),
        "refuse" => Err(Refusal::new("3095")),
        _ => Err(Refusal::new("9999")),
    };
    let fields = match authenticated {
        Ok((authentication, place)) => match place.reached().await {
            Ok(()) => desk.return_fields(Ok(&authentication), ""),
            Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
        Err(refusal) => desk.return_fields(Err(&refusal), &mall_reserved),
    };
    page(
        BACK_PAGE,
        &[
            ("RETURN", escaped(&back_to)),
            ("HIDDEN", hidden_fields(&fields)),
        ],
    )
}

/// What a page asks about accounts: one, or all.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    number: String,
    tid: String,
}

/// The accounts people can pay into: a bank's counter for whoever tries the shop.
async fn accounts(State(desk): State<Arc<Desk>>, Query(asked): Query<Asked>) -> Response {
    let (rows, _) = desk.look(|book, now| {
        let mut rows: Vec<String> = book
            .charges()
            .filter_map(|charge| Some((charge, charge.shown_account(now)?)))
            .filter(|(_, account)| asked.number.is_empty() || account.number == asked.number)
            .map(|(charge, account)| account_row(&desk, charge, &account))
            .collect();
        rows.reverse();
        rows
    });
    let none = "<li>입금을 기다리는 계좌가 없습니다.</li>".to_owned();
    let rows = if rows.is_empty() { none } else { rows.concat() };
    page(ACCOUNTS_PAGE, &[("ACCOUNTS", rows)])
}

fn account_row(desk: &Desk, charge: &Charge, account: &ShownAccount) -> String {
    let a = &charge.authentication;
    let button = match account.takes_money {
        true => format!(
            "<form method=\"post\" action=\"/pay/accounts\"><input type=\"hidden\" name=\"tid\" value=\"{}\"><button class=\"first\">입금하기</button></form>",
            escaped(&a.tid)
        ),
        false => format!("<p>{}</p>", status_name(account.status)),
    };
    format!(
        "<li><dl><dt>계좌</dt><dd>{} {}</dd><dt>예금주</dt><dd>{}</dd><dt>상품</dt><dd>{}</dd><dt>기한</dt><dd>{}</dd>\
         <dt>금액</dt><dd class=\"amount\">{}</dd></dl>{button}</li>",
        account.bank,
        escaped(&account.number),
        escaped(&a.holder),
        escaped(&a.goods_name),
        escaped(&account.closes_at),
        escaped(&desk.shown(a.amount)),
    )
}

fn status_name(status: &str) -> &'static str {
    match status {
        "paid" | "partialCancelled" => "입금되었습니다",
        "expired" => "기한이 지났습니다",
        _ => "닫힌 계좌입니다",
    }
}

/// Pays in what was to be paid.
async fn pay_in(State(desk): State<Arc<Desk>>, Form(asked): Form<Asked>) -> Response {
    match desk.decide(|book, now| book.deposit(&asked.tid, None, false, now)) {
        Ok(done) => match done.place.reached().await {
            Ok(()) => Redirect::to("/pay/accounts").into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
        Err(refusal) => wrong(&refusal.message),
    }
}

impl Desk {
    fn can_open(&self, wish: &Wish) -> Result<(), &'static str> {
        if wish.client_id != self.options.client_key {
            return Err("가맹점 키(clientId)가 올바르지 않습니다");
        }
        if !wish.return_url.starts_with("http://") && !wish.return_url.starts_with("https://") {
            return Err("returnUrl은 http 또는 https 주소여야 합니다");
        }
        Authentication::try_from(wish.clone()).map(|_| ())
    }
}

/// What the window asks about a virtual account: at which bank.
fn account_choice(wish: &Wish) -> String {
    if wish.method != "vbank" {
        return String::new();
    }
    let banks =
        issuing_banks().map(|(code, name)| format!("<option value=\"{code}\">{name}</option>"));
    format!(
        "<p><label for=\"bank\">입금할 은행</label> <select id=\"bank\" name=\"bank\">{}</select></p>\n<p>예금주 {}</p>",
        banks.collect::<String>(),
        escaped(&wish.vbank_holder)
    )
}

fn wrong(why: &str) -> Response {
    (
        StatusCode::BAD_REQUEST,
        page(WRONG_PAGE, &[("WHY", escaped(why))]),
    )
        .into_response()
}

/// A page with its marks `{{MARK}}` filled in. Nothing runs in it but the sandbox's own script.
fn page(template: &str, marks: &[(&str, String)]) -> Response {
    let filled = marks
        .iter()
        .fold(template.to_owned(), |text, (mark, value)| {
            text.replace(&format!("{{{{{mark}}}}}"), value)
        });
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'";
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(filled)).into_response()
}

fn hidden_fields(fields: &Value) -> String {
    let fields = fields.as_object().into_iter().flatten();
    let inputs = fields.map(|(name, value)| {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        format!(
            "<input type=\"hidden\" name=\"{}\" value=\"{}\">",
            escaped(name),
            escaped(&text)
        )
    });
    inputs.collect::<Vec<_>>().join("\n")
}

/// Text that cannot become markup, nor a mark of a template.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut safe, c| {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '{' => safe.push_str("&#123;"),
            other => safe.push(other),
        }
        safe
    })
}

fn method_name(method: &str) -> &str {
    match method {
        "" | "card" | "directCard" | "cardAndEasyPay" => "신용카드",
        "bank" => "계좌 이체",
        "vbank" => "가상 계좌",
        "cellphone" => "휴대폰",
        other => other,
    }
}
