-- What has to be looked at when its time comes. A row disappears when there is nothing left to do.
CREATE TABLE p_deadlines_v1
(
    kind     text        NOT NULL, -- unpaid-order | confirm-purchase | resolve-approval | resolve-refund | close-account
    id       text        NOT NULL, -- order, purchaseNo, payment, refund
    stream   text        NOT NULL, -- the order or payment to ask
    due_at   timestamptz NOT NULL,
    position bigint      NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX p_deadlines_v1_due ON p_deadlines_v1 (due_at);
CREATE INDEX p_deadlines_v1_stream ON p_deadlines_v1 (stream);
COMMENT ON TABLE p_deadlines_v1 IS 'unpaid orders, purchases to confirm, payments and refunds to resolve';
