//! Lists, counts and searches agree with the orders and products themselves.
