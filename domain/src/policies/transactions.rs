//! Gateway transactions belong to the payment that recorded them first.

use crate::payment::PaymentEvent;

/// The gateway transaction that an event records.
pub fn recorded_transaction(event: &PaymentEvent) -> Option<&str> {
    match event {
        PaymentEvent::PaymentApproved { tid, .. }
        | PaymentEvent::VirtualAccountIssued { tid, .. }
        | PaymentEvent::DepositReceived { tid, .. } => Some(tid),
        _ => None,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_the_gateway_confirmed_is_recorded_and_a_start_is_not() {
        let recorded = |sample: &str| {
            let event: PaymentEvent = serde_json::from_str(sample).unwrap();
            recorded_transaction(&event).is_some()
        };
        for confirmed in [
            include_str!("../../samples/PaymentApproved.1.0.json"),
            include_str!("../../samples/VirtualAccountIssued.1.0.json"),
            include_str!("../../samples/DepositReceived.1.0.json"),
        ] {
            assert!(recorded(confirmed));
        }
        assert!(!recorded(include_str!(
            "../../samples/PaymentStarted.1.0.json"
        )));
    }
}
