//! The payment window: the script that the shop's page loads, the page the buyer sees, and the return to the shop.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use domain::Amount;
use integrations::payment::protocol::METHODS;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::NAME;
use crate::banks::issuing_banks;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::state::{Authentication, Charge, ShownAccount};

/// Defines `AUTHNICE.requestPay`.
const SCRIPT: &str = include_str!("pay_page/script.js");

/// Submits the only form of a page.
const POST_ON: &str = include_str!("pay_page/post_on.js");

/// Common parts of all pages: head, style, and the placeholders of title and content.
const FRAME: &str = include_str!("pay_page/frame.html");

/// A page of the sandbox.
pub(crate) struct Page {
    pub(crate) title: &'static str,
    pub(crate) content: &'static str,
}

const PAY_PAGE: Page = Page {
    title: "결제",
    content: include_str!("pay_page/pay.html"),
};
const BACK_PAGE: Page = Page {
    title: "돌아가기",
    content: include_str!("pay_page/back.html"),
};
const WRONG_PAGE: Page = Page {
    title: "결제창을 열 수 없음",
    content: include_str!("pay_page/wrong.html"),
};
const ACCOUNTS_PAGE: Page = Page {
    title: "입금",
    content: include_str!("pay_page/accounts.html"),
};
const HOME_PAGE: Page = Page {
    title: "체험용 결제 서비스",
    content: include_str!("pay_page/home.html"),
};

pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/", get(home))
        .route("/v1/js/", get(|| script(SCRIPT)))
        .route("/pay/post-on.js", get(|| script(POST_ON)))
        .route("/pay", get(open_by_address).post(open))
        .route("/pay/decision", post(decide))
        .route("/pay/accounts", get(accounts).post(pay_in))
}

/// Arguments of `AUTHNICE.requestPay`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct WindowRequest {
    client_id: String,
    method: String,
    order_id: String,
    #[serde(deserialize_with = "number_or_text")]
    amount: i64,
    goods_name: String,
    return_url: String,
    pub(crate) mall_reserved: String,
    vbank_holder: String,
    #[serde(deserialize_with = "number_or_nothing")]
    vbank_valid_hours: Option<u32>,
    /// Bank chosen by the buyer.
    bank: String,
    /// Button pressed by the buyer.
    decision: String,
}

/// A number (JSON) or text that may be empty (form).
fn number_or_nothing<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let given: Value = Deserialize::deserialize(from)?;
    let number = match &given {
        Value::String(text) => text.parse().ok(),
        other => other.as_u64().and_then(|number| number.try_into().ok()),
    };
    Ok(number)
}

/// A number (JSON) or text (form).
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

impl TryFrom<WindowRequest> for Authentication {
    type Error = &'static str;

    /// Validates like the real window.
    fn try_from(request: WindowRequest) -> Result<Self, &'static str> {
        let method = match request.method.is_empty() {
            true => "card".to_owned(),
            false => request.method,
        };
        if request.amount <= 0 {
            return Err("결제 금액은 0보다 커야 합니다");
        }
        if request.order_id.is_empty() || request.order_id.len() > 64 {
            return Err("주문 번호는 1자에서 64자여야 합니다");
        }
        if request.goods_name.chars().count() > 40 {
            return Err("상품 이름은 40자까지입니다");
        }
        if request.mall_reserved.chars().count() > 500 || request.mall_reserved.contains('"') {
            return Err("mallReserved는 500자까지이고 큰따옴표를 쓸 수 없습니다");
        }
        if !METHODS.contains(&method.as_str()) {
            return Err("알 수 없는 결제 수단입니다");
        }
        if method == "vbank" && request.vbank_holder.is_empty() {
            return Err("가상 계좌에는 예금주 이름이 필요합니다");
        }
        Ok(Self {
            method,
            order_id: request.order_id,
            amount: request.amount,
            goods_name: request.goods_name,
            mall_reserved: request.mall_reserved,
            holder: request.vbank_holder,
            bank: request.bank,
            valid_hours: request.vbank_valid_hours,
            ..Self::default()
        })
    }
}

impl Service {
    /// Fields of the form for the return page. Only an authenticated payment has a transaction id and a signature.
    pub(crate) fn return_fields(
        &self,
        result: Result<&Authentication, &Refusal>,
        mall_reserved: &str,
    ) -> Value {
        match result {
            Ok(a) => {
                let amount = a.amount.to_string();
                let client = &self.options.client_key;
                let signature = self
                    .options
                    .secret
                    .return_form(&a.auth_token, client, &amount);
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

    /// An amount as the page shows it.
    fn shown(&self, units: i64) -> String {
        shown_amount(
            units,
            self.options.currency_exponent,
            &self.options.currency,
        )
    }
}

/// Units of the currency as a readable amount. A currency without decimals has whole numbers; the others are written in
/// hundredths where that is exact.
fn shown_amount(units: i64, exponent: u8, code: &str) -> String {
    let hundredths = match exponent {
        0 => None,
        1 => units.checked_mul(10),
        finer => {
            let per_hundredth = 10_i64.saturating_pow(u32::from(finer.saturating_sub(2)));
            (units % per_hundredth == 0).then(|| units / per_hundredth)
        }
    };
    match hundredths {
        Some(hundredths) => format!("{} {code}", Amount::new(hundredths)),
        None => format!("{units} {code}"),
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

async fn open_by_address(
    service: State<Arc<Service>>,
    Query(request): Query<WindowRequest>,
) -> Response {
    open(service, Form(request)).await
}

/// The pay page.
async fn open(State(service): State<Arc<Service>>, Form(request): Form<WindowRequest>) -> Response {
    if let Err(why) = service.can_open(&request) {
        return wrong(why);
    }
    let hidden = hidden_fields(&json!({
        "clientId": request.client_id, "method": request.method, "orderId": request.order_id, "amount": request.amount,
        "goodsName": request.goods_name, "returnUrl": request.return_url, "mallReserved": request.mall_reserved,
        "vbankHolder": request.vbank_holder,
        "vbankValidHours": request.vbank_valid_hours.map(|hours| hours.to_string()).unwrap_or_default(),
    }));
    let marks = [
        ("ORDER", escaped(&request.order_id)),
        ("GOODS", escaped(&request.goods_name)),
        ("AMOUNT", escaped(&service.shown(request.amount))),
        ("METHOD", escaped(method_name(&request.method))),
        ("ACCOUNT", account_choice(&request)),
        ("HIDDEN", hidden),
    ];
    page(PAY_PAGE, &marks)
}

/// Handles the button and sends the browser back to the shop.
async fn decide(
    State(service): State<Arc<Service>>,
    Form(request): Form<WindowRequest>,
) -> Response {
    if let Err(why) = service.can_open(&request) {
        return wrong(why);
    }
    let (back_to, mall_reserved) = (request.return_url.clone(), request.mall_reserved.clone());
    let authenticated = match request.decision.as_str() {
        "pay" => Authentication::try_from(request)
            .map_err(|why| Refusal::because("2003", why))
            .and_then(|request| service.authenticate(request)),
        "refuse" => Err(Refusal::new("3095")),
        _ => Err(Refusal::new("9999")),
    };
    let fields = match authenticated {
        Ok((authentication, position)) => match position.reached().await {
            Ok(()) => service.return_fields(Ok(&authentication), ""),
            Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
        Err(refusal) => service.return_fields(Err(&refusal), &mall_reserved),
    };
    page(
        BACK_PAGE,
        &[
            ("RETURN", escaped(&back_to)),
            ("HIDDEN", hidden_fields(&fields)),
        ],
    )
}

/// Filter of the list of accounts.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct AccountQuery {
    number: String,
    tid: String,
}

/// Virtual accounts that accept deposits: the bank counter of the demonstration.
async fn accounts(
    State(service): State<Arc<Service>>,
    Query(query): Query<AccountQuery>,
) -> Response {
    let (rows, _) = service.read(|state, now| {
        let mut rows: Vec<String> = state
            .charges()
            .filter_map(|charge| Some((charge, charge.shown_account(now)?)))
            .filter(|(_, account)| query.number.is_empty() || account.number == query.number)
            .map(|(charge, account)| account_row(&service, charge, &account))
            .collect();
        rows.reverse();
        rows
    });
    let none = "<li>입금을 기다리는 계좌가 없습니다.</li>".to_owned();
    let rows = if rows.is_empty() { none } else { rows.concat() };
    page(ACCOUNTS_PAGE, &[("ACCOUNTS", rows)])
}

fn account_row(service: &Service, charge: &Charge, account: &ShownAccount) -> String {
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
        escaped(&service.shown(a.amount)),
    )
}

fn status_name(status: &str) -> &'static str {
    match status {
        "paid" | "partialCancelled" => "입금되었습니다",
        "expired" => "기한이 지났습니다",
        _ => "닫힌 계좌입니다",
    }
}

/// Deposits the amount to be paid.
async fn pay_in(State(service): State<Arc<Service>>, Form(query): Form<AccountQuery>) -> Response {
    match service.decide(|state, now| state.deposit(&query.tid, None, false, now)) {
        Ok(done) => match done.position.reached().await {
            Ok(()) => Redirect::to("/pay/accounts").into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
        Err(refusal) => wrong(&refusal.message),
    }
}

impl Service {
    fn can_open(&self, request: &WindowRequest) -> Result<(), &'static str> {
        if request.client_id != self.options.client_key {
            return Err("가맹점 키(clientId)가 올바르지 않습니다");
        }
        if !request.return_url.starts_with("http://") && !request.return_url.starts_with("https://")
        {
            return Err("returnUrl은 http 또는 https 주소여야 합니다");
        }
        Authentication::try_from(request.clone()).map(|_| ())
    }
}

/// Bank selection for a virtual account.
fn account_choice(request: &WindowRequest) -> String {
    if request.method != "vbank" {
        return String::new();
    }
    let banks =
        issuing_banks().map(|(code, name)| format!("<option value=\"{code}\">{name}</option>"));
    format!(
        "<p><label for=\"bank\">입금할 은행</label> <select id=\"bank\" name=\"bank\">{}</select></p>\n<p>예금주 {}</p>",
        banks.collect::<String>(),
        escaped(&request.vbank_holder)
    )
}

fn wrong(why: &str) -> Response {
    (
        StatusCode::BAD_REQUEST,
        page(WRONG_PAGE, &[("WHY", escaped(why))]),
    )
        .into_response()
}

/// Fills the placeholders `{{MARK}}` of a page. Its policy allows only the sandbox's own scripts.
pub(crate) fn page(page: Page, marks: &[(&str, String)]) -> Response {
    let framed = FRAME
        .replace("{{title}}", page.title)
        .replace("{{content}}", page.content);
    let filled = marks.iter().fold(framed, |text, (mark, value)| {
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

/// Escapes text for HTML, including the placeholders of a page.
pub(crate) fn escaped(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_shown_by_the_decimals_of_the_currency() {
        assert_eq!(shown_amount(1004, 0, "KRW"), "1004 KRW");
        assert_eq!(shown_amount(1004, 2, "USD"), "$10.04 USD");
        assert_eq!(shown_amount(5, 1, "XXX"), "$0.50 XXX");
        assert_eq!(shown_amount(50, 3, "KWD"), "$0.05 KWD");
        assert_eq!(shown_amount(51, 3, "KWD"), "51 KWD");
    }
}
