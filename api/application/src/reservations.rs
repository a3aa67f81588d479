//! Scopes of reserved names. Each is stored with its names, so it never changes.

/// Sign-in names, owned by members.
pub const USERNAME: &str = "username";
/// Nicknames, owned by members.
pub const NICKNAME: &str = "nickname";
/// Confirmed e-mail addresses, owned by members. The hash is the one by which members are found (`member_mails`).
pub const EMAIL: &str = "member-mail";
/// Uploaded documents, owned by the member who claimed them.
pub const DOCUMENT: &str = "document";
/// Order numbers, owned by orders.
pub const ORDER_NO: &str = "order-no";
/// Transaction ids of the payment gateway, owned by payments.
pub const TRANSACTION: &str = "payment-tid";
