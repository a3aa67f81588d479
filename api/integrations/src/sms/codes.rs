//! Status codes of SOLAPI's messages, as far as the shop acts on them.

use super::{Failure, Report};

/// Whether the gateway has taken a message: it waits, was handed to a carrier, or is done.
pub(super) fn is_taken(code: &str) -> bool {
    matches!(code, "2000" | "3000" | "4000")
}

/// Why a message with another code was not taken or not delivered.
pub(super) fn failure(code: &str) -> Failure {
    match code {
        // Form of the number, no subscriber, blocked at the gateway, refused by the receiver.
        "3010" | "3032" | "1060" | "2060" | "1061" | "2061" => Failure::Address,
        // Account, sender number, talk channel: the shop has to put it right.
        "1020" | "1062" | "2062" | "2063" | "3013" | "3059" | "1064" | "2064" | "1041" | "3101"
        | "3106" => Failure::Access,
        // Balance, routes and servers.
        "1024" | "1030" | "1058" | "2024" | "2230" | "3012" | "3024" | "3053" | "3058" => {
            Failure::Refused
        }
        // Form, letters, length, kind of the text, or a talk template that it does not fit.
        "1010" | "1011" | "1013" | "1014" | "1025" | "1027" | "1028" | "1029" | "1031" | "1032"
        | "1033" | "1042" | "1043" => Failure::Unsendable,
        _ => Failure::Rejected,
    }
}

/// What the code of a message that was taken says of its arrival.
pub(super) fn report(code: &str) -> Report {
    match code {
        "2000" | "3000" => Report::Waiting,
        "4000" => Report::Delivered,
        _ => match code.parse() {
            Ok(number) => Report::Failed {
                why: failure_of_delivery(code),
                code: Some(number),
            },
            Err(_) => Report::Waiting,
        },
    }
}

/// Why a message that was taken did not arrive. A carrier's report that blames neither number nor sender (a phone that was off, a full
/// memory) is only that.
fn failure_of_delivery(code: &str) -> Failure {
    match failure(code) {
        Failure::Refused | Failure::Rejected if code.starts_with('3') => Failure::Undelivered,
        other => other,
    }
}

/// The same for the name of an error of a whole request.
pub(super) fn failure_of_request(status: u16, name: &str) -> Failure {
    match (status, name) {
        (401 | 403, _) => Failure::Access,
        (402 | 408 | 409 | 423 | 425 | 429, _) => Failure::Refused,
        (_, "NotEnoughBalance" | "TooManyRequests") => Failure::Refused,
        _ => Failure::Rejected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_say_whether_a_text_arrived() {
        let failed = |why, code| Report::Failed {
            why,
            code: Some(code),
        };
        for (code, expected) in [
            ("2000", Report::Waiting),
            ("3000", Report::Waiting),
            ("", Report::Waiting),
            ("later", Report::Waiting),
            ("4000", Report::Delivered),
            ("3032", failed(Failure::Address, 3032)),
            ("3010", failed(Failure::Address, 3010)),
            ("1061", failed(Failure::Address, 1061)),
            ("3059", failed(Failure::Access, 3059)),
            ("3040", failed(Failure::Undelivered, 3040)),
            ("3053", failed(Failure::Undelivered, 3053)),
            ("1030", failed(Failure::Refused, 1030)),
        ] {
            assert_eq!(report(code), expected, "{code}");
        }
    }
}
