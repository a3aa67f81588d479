-- Money that goes back to buyers: what claims owe, and what became of it at the gateway.
CREATE TABLE p_refunds_v3
(
    id               uuid PRIMARY KEY,     -- the refund
    payment          uuid        NOT NULL,
    amount           bigint      NOT NULL, -- hundredths
    stage            text        NOT NULL, -- requested | unknown | refused | completed
    by_transfer      boolean     NOT NULL, -- redirected: sent by the bank, past the gateway
    requested_at     timestamptz NOT NULL, -- first
    settled_at       timestamptz,          -- when it was completed
    refusal_code     text,                 -- of the gateway's last refusal
    refusal_message  text,
    reference        text,                 -- what the bank calls the transfer
    position         bigint      NOT NULL
);
CREATE INDEX p_refunds_v3_open ON p_refunds_v3 (stage) WHERE stage <> 'completed';
CREATE INDEX p_refunds_v3_transfers ON p_refunds_v3 (settled_at DESC) WHERE by_transfer;

CREATE TABLE p_refunds_v3_claims
(
    claim        uuid PRIMARY KEY,
    order_id     uuid        NOT NULL,
    kind         text        NOT NULL,     -- CANCEL | RETURN | EXCHANGE
    purchase_nos text[]      NOT NULL,
    money        bigint      NOT NULL,     -- expected until it is approved, hundredths
    requested_at timestamptz NOT NULL,
    owed_since   timestamptz,              -- a cancellation's request, or when the goods of a return were back
    approved     boolean     NOT NULL,
    refund       uuid,                     -- with the order's payment, once approved, if there is money to give back on it
    others       jsonb       NOT NULL,     -- with payments of differences: [{_payment, _refund, amount}]
    closed       boolean     NOT NULL,     -- completed, rejected or withdrawn; transferred
    transfer     uuid,                     -- a refund no payment took the money of, which staff transfer
    transferred_at timestamptz,            -- when they did
    reference    text,                     -- what the bank calls that transfer
    position     bigint      NOT NULL
);
CREATE INDEX p_refunds_v3_claims_owed ON p_refunds_v3_claims (owed_since, claim) WHERE NOT closed;
CREATE INDEX p_refunds_v3_claims_refund ON p_refunds_v3_claims (refund) WHERE refund IS NOT NULL;
CREATE INDEX p_refunds_v3_claims_transferred ON p_refunds_v3_claims (transferred_at DESC) WHERE transferred_at IS NOT NULL;
CREATE INDEX p_refunds_v3_claims_others ON p_refunds_v3_claims (claim) WHERE others <> '[]';
COMMENT ON TABLE p_refunds_v3 IS 'refunds of payments: how far, what the gateway refused, what was transferred past it; amounts in hundredths';
COMMENT ON TABLE p_refunds_v3_claims IS 'what claims give back in money, and since when it is owed';
