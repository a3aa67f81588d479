-- What has to be looked at when its time comes. A row disappears when there is nothing left to do.
CREATE TABLE p_deadlines_v3
(
    kind     text        NOT NULL, -- unpaid-order | confirm-purchase | resolve-approval | resolve-refund | close-account | statutory-period | guest-statutory-period
    id       text        NOT NULL, -- order, purchaseNo, payment, refund, member
    stream   text        NOT NULL, -- the order, payment or member to ask
    due_at   timestamptz NOT NULL,
    position bigint      NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX p_deadlines_v3_due ON p_deadlines_v3 (due_at);
CREATE INDEX p_deadlines_v3_stream ON p_deadlines_v3 (stream);

CREATE TABLE p_deadlines_v3_payments
(
    id       uuid PRIMARY KEY,
    order_id uuid   NOT NULL,
    position bigint NOT NULL
);
COMMENT ON TABLE p_deadlines_v3 IS 'unpaid orders, purchases to confirm, payments and refunds to resolve';
COMMENT ON TABLE p_deadlines_v3_payments IS 'which guest order a payment is for, so that what happens to it keeps the order''s records';
