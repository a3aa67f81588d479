-- What has to be looked at when its time comes. A row disappears when there is nothing left to do.
CREATE TABLE p_deadlines_v6
(
    kind     text        NOT NULL, -- unpaid-order | confirm-purchase | resolve-approval | resolve-refund | close-account | statutory-period | guest-statutory-period
    id       text        NOT NULL, -- order, purchaseNo, payment, refund, member
    stream   text        NOT NULL, -- the order, payment or member to ask
    due_at   timestamptz NOT NULL,
    position bigint      NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX p_deadlines_v6_due ON p_deadlines_v6 (due_at);
CREATE INDEX p_deadlines_v6_stream ON p_deadlines_v6 (stream);

CREATE TABLE p_deadlines_v6_keeps
(
    stream   text PRIMARY KEY, -- an order or payment
    kind     text   NOT NULL,  -- statutory-period | guest-statutory-period
    id       text   NOT NULL,  -- the member, or the guest's order
    position bigint NOT NULL
);
CREATE TABLE p_deadlines_v6_returns
(
    claim       uuid PRIMARY KEY,
    stream      text   NOT NULL, -- the order
    purchase_no text   NOT NULL,
    position    bigint NOT NULL
);
CREATE INDEX p_deadlines_v6_returns_stream ON p_deadlines_v6_returns (stream);

CREATE TABLE p_deadlines_v6_retries
(
    position   bigint PRIMARY KEY, -- of the event
    kind       text        NOT NULL,
    id         text        NOT NULL,
    set_by     bigint      NOT NULL, -- position of the event that set the deadline
    stream     text        NOT NULL,
    code       text        NOT NULL,
    message    text        NOT NULL,
    refused_at timestamptz NOT NULL,
    retried_at timestamptz NOT NULL,
    retried_by uuid,
    reason     text
);
CREATE INDEX p_deadlines_v6_retries_of ON p_deadlines_v6_retries (kind, id);
COMMENT ON TABLE p_deadlines_v6_retries IS 'refused deadlines somebody had tried again: what was refused then, who asked for it, why and when';
COMMENT ON TABLE p_deadlines_v6 IS 'unpaid orders, purchases to confirm, payments and refunds to resolve';
COMMENT ON TABLE p_deadlines_v6_returns IS 'which purchase each return is of: its answer names only the claim';
COMMENT ON TABLE p_deadlines_v6_keeps IS 'whose records what happens to an order or payment keeps for longer: its buyer''s';
