-- What has to be looked at when its time comes. A row disappears when there is nothing left to do.
CREATE TABLE p_deadlines_v2
(
    kind     text        NOT NULL, -- unpaid-order | confirm-purchase | resolve-approval | resolve-refund | close-account | statutory-period | guest-statutory-period
    id       text        NOT NULL, -- order, purchaseNo, payment, refund, member
    stream   text        NOT NULL, -- the order, payment or member to ask
    due_at   timestamptz NOT NULL,
    position bigint      NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX p_deadlines_v2_due ON p_deadlines_v2 (due_at);
CREATE INDEX p_deadlines_v2_stream ON p_deadlines_v2 (stream);
COMMENT ON TABLE p_deadlines_v2 IS 'unpaid orders, purchases to confirm, payments and refunds to resolve';
