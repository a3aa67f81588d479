-- What has to be looked at when its time comes. A row disappears when there is nothing left to do.
CREATE TABLE p_deadlines_v4
(
    kind     text        NOT NULL, -- unpaid-order | confirm-purchase | resolve-approval | resolve-refund | close-account | statutory-period | guest-statutory-period
    id       text        NOT NULL, -- order, purchaseNo, payment, refund, member
    stream   text        NOT NULL, -- the order, payment or member to ask
    due_at   timestamptz NOT NULL,
    position bigint      NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX p_deadlines_v4_due ON p_deadlines_v4 (due_at);
CREATE INDEX p_deadlines_v4_stream ON p_deadlines_v4 (stream);

CREATE TABLE p_deadlines_v4_keeps
(
    stream   text PRIMARY KEY, -- an order or payment
    kind     text   NOT NULL,  -- statutory-period | guest-statutory-period
    id       text   NOT NULL,  -- the member, or the guest's order
    position bigint NOT NULL
);
COMMENT ON TABLE p_deadlines_v4 IS 'unpaid orders, purchases to confirm, payments and refunds to resolve';
COMMENT ON TABLE p_deadlines_v4_keeps IS 'whose records what happens to an order or payment keeps for longer: its buyer''s';
