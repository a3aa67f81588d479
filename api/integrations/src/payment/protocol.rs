//! Constants of the NICE v1 protocol (domain-facts 2.1). The only module the sandbox shares with the client: data, no
//! functions.

/// Payment methods of the service.
pub const METHODS: [&str; 13] = [
    "card",
    "bank",
    "directCard",
    "vbank",
    "cellphone",
    "naverpayCard",
    "kakaopay",
    "kakaopayCard",
    "kakaopayMoney",
    "samsungpayCard",
    "payco",
    "ssgpay",
    "cardAndEasyPay",
];

/// One row of the table of result codes.
#[derive(Clone, Copy, Debug)]
pub struct ResultCode {
    /// Group of codes; the same code can occur in several.
    pub group: &'static str,
    /// The code.
    pub code: &'static str,
    /// Meaning, in Korean.
    pub meaning: &'static str,
}

/// Result codes of the service that the shop or the sandbox uses.
pub const RESULT_CODES: &[ResultCode] = &[
    row("common", "0000", "정상 처리되었습니다"),
    row("cancel", "2001", "취소되었습니다"),
    row("cancel", "2003", "취소할 수 없습니다"),
    row("cancel", "2013", "이미 취소된 거래입니다"),
    row("cancel", "2015", "이미 취소를 요청한 거래입니다"),
    row("cancel", "2016", "취소할 수 있는 기간이 지났습니다"),
    row("cancel", "2020", "망취소할 수 있는 시간이 지났습니다"),
    row("cancel", "2028", "부분 취소할 수 없는 거래입니다"),
    row("cancel", "2032", "취소할 수 있는 금액을 넘었습니다"),
    row("cancel", "2156", "중복된 요청입니다"),
    row("cancel", "2211", "환불되었습니다"),
    row("approve", "2201", "이미 승인된 거래입니다"),
    row("card", "3001", "카드 결제가 승인되었습니다"),
    row("card", "3011", "카드 번호가 올바르지 않습니다"),
    row("card", "3021", "카드 유효 기간이 올바르지 않습니다"),
    row("card", "3041", "카드 결제는 1,000원부터 할 수 있습니다"),
    row("card", "3095", "카드사에서 결제를 거절했습니다"),
    row("bank", "4000", "계좌 이체가 승인되었습니다"),
    row("vbank", "4100", "가상 계좌가 발급되었습니다"),
    row("vbank", "4102", "입금 기한 날짜가 올바르지 않습니다"),
    row("vbank", "4103", "입금 기한 시각이 올바르지 않습니다"),
    row("vbank", "4110", "입금되었습니다"),
    row("vbank", "4122", "입금액이 다릅니다"),
    row("vbank", "4123", "취소된 계좌에 입금되었습니다"),
    row("vbank", "4124", "이미 처리된 입금입니다"),
    row("receipt", "7001", "현금 영수증이 발급되었습니다"),
    row("receipt", "7003", "현금 영수증이 이미 발급되었습니다"),
    row("auth", "9999", "구매자가 결제를 취소했습니다"),
    row("api", "A000", "휴대폰 결제가 승인되었습니다"),
    row("api", "A101", "서명이 올바르지 않습니다"),
    row("api", "A115", "거래를 찾을 수 없습니다"),
    row("api", "A123", "승인 금액이 인증 금액과 다릅니다"),
    row("api", "A127", "이미 결제된 주문 번호입니다"),
    row("key", "U103", "인증 정보가 없습니다"),
    row("key", "U104", "인증 정보가 올바르지 않습니다"),
];

const fn row(group: &'static str, code: &'static str, meaning: &'static str) -> ResultCode {
    ResultCode {
        group,
        code,
        meaning,
    }
}
