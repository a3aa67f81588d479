//! Services outside the shop, one folder each: a trait in the shop's words and a client speaking the real protocol.

pub mod payment;
