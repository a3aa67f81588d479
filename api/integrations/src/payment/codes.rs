//! Meaning of NICE v1 result codes for the call they answer (domain-facts 2.1). Codes repeat across groups with other meanings, so a
//! recorded refusal keeps the message too.

/// The call a result code answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Charge an authenticated payment.
    Approve,
    /// Query a payment.
    Query,
    /// Refund, in full or in part.
    Cancel,
    /// Undo an approval whose answer was lost.
    NetCancel,
}

/// What a result code says about the call it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The call succeeded.
    Done,
    /// The same or a similar call succeeded before: query the payment before acting.
    DoneBefore,
    /// The call failed and is not retried.
    Refused,
}

/// Verdict of a code about a call. An unknown code is a refusal, and so is a success code of another call.
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

/// Whether a refusal means that the service has no such transaction. Only this one proves that nothing was charged; every other refusal of
/// a query says nothing about the money.
pub fn is_unknown_transaction(code: &str) -> bool {
    code == "A115"
}

/// Whether a refusal is about the request (key, signature, address) and not about the money: once the request is
/// corrected, the service may grant it.
pub fn is_request_fault(code: &str) -> bool {
    matches!(
        code,
        "A101" | "U103" | "U104" | "400" | "401" | "403" | "404" | "405"
    )
}

#[cfg(test)]
mod tests {
    use super::super::protocol::RESULT_CODES;
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
            .filter(|row| is_unknown_transaction(row.code));
        assert_eq!(none.map(|row| row.code).collect::<Vec<_>>(), ["A115"]);
        assert!(
            !is_unknown_transaction("404"),
            "anybody on the way says 404"
        );
        assert!(is_request_fault("U104") && !is_request_fault("2032"));
    }
}
