//! NICE v1 result codes worth knowing (domain-facts 2.1). Codes repeat across groups with other meanings, so a record of
//! a refusal keeps group and message too.

/// What was asked of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Charge an authenticated payment.
    Approve,
    /// Tell its state.
    Query,
    /// Give money back.
    Cancel,
    /// Undo an approval whose answer never came.
    NetCancel,
}

/// What a result code says about the call it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was done.
    Done,
    /// It, or something like it, had been done before: ask what happened before believing anything.
    DoneBefore,
    /// It was not done.
    Refused,
}

/// One code of the table.
#[derive(Clone, Copy, Debug)]
pub struct ResultCode {
    /// The service's group of codes.
    pub group: &'static str,
    /// The code.
    pub code: &'static str,
    /// Its meaning, for people.
    pub meaning: &'static str,
}

/// The table.
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

/// What a code means, if it is in the table.
pub fn meaning(code: &str) -> Option<&'static str> {
    RESULT_CODES
        .iter()
        .find(|known| known.code == code)
        .map(|known| known.meaning)
}

/// What a code says about a call. A code nobody knows is a refusal; so is a success code of another call.
pub fn verdict(call: Call, code: &str) -> Verdict {
    match (call, code) {
        (_, "0000")
        | (Call::Approve, "3001" | "4000" | "4100" | "A000")
        | (Call::Cancel | Call::NetCancel, "2001" | "2211") => Verdict::Done,
        (Call::Approve, "2201" | "2156")
        | (Call::Cancel | Call::NetCancel, "2013" | "2015" | "2156") => Verdict::DoneBefore,
        _ => Verdict::Refused,
    }
}

/// Whether a refusal says that the service has no such transaction. Only this one says that nothing was charged; every
/// other refusal of a question says nothing about the money.
pub fn knows_no_such_payment(code: &str) -> bool {
    code == "A115"
}

/// Whether a refusal is about how the shop asked (its key, its signature, the address) and not about the money: once
/// that is mended, the same request may be granted.
pub fn is_about_the_asking(code: &str) -> bool {
    matches!(
        code,
        "A101" | "U103" | "U104" | "400" | "401" | "403" | "404" | "405"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_judged_by_the_call_it_answers() {
        assert_eq!(verdict(Call::Approve, "0000"), Verdict::Done);
        assert_eq!(verdict(Call::Cancel, "2211"), Verdict::Done);
        assert_eq!(verdict(Call::Approve, "2001"), Verdict::Refused);
        assert_eq!(verdict(Call::Approve, "2201"), Verdict::DoneBefore);
        assert_eq!(verdict(Call::Cancel, "2013"), Verdict::DoneBefore);
        assert_eq!(verdict(Call::Cancel, "2032"), Verdict::Refused);
        assert_eq!(verdict(Call::Query, "2013"), Verdict::Refused);
        assert_eq!(verdict(Call::Approve, "nobody knows"), Verdict::Refused);
    }

    #[test]
    fn only_one_refusal_says_that_there_is_no_payment() {
        let none = RESULT_CODES
            .iter()
            .filter(|row| knows_no_such_payment(row.code));
        assert_eq!(none.map(|row| row.code).collect::<Vec<_>>(), ["A115"]);
        assert!(!knows_no_such_payment("404"), "anybody on the way says 404");
        assert!(is_about_the_asking("U104") && !is_about_the_asking("2032"));
    }
}
