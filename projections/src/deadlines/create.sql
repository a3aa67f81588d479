-- What has to be looked at when its time comes. A row disappears when there is nothing left to do.
CREATE TABLE p_deadlines_v7
(
    kind     text        NOT NULL, -- unpaid-order | confirm-purchase | deliver-purchase | resolve-approval | resolve-refund | close-account | statutory-period | guest-statutory-period | contact-period | inquiry-period
    id       text        NOT NULL, -- order, purchaseNo, payment, refund, member
    stream   text        NOT NULL, -- the order, payment, member, contact or inquiry to ask
    due_at   timestamptz NOT NULL,
    position bigint      NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX p_deadlines_v7_due ON p_deadlines_v7 (due_at);
CREATE INDEX p_deadlines_v7_stream ON p_deadlines_v7 (stream);

CREATE TABLE p_deadlines_v7_keeps
(
    stream   text PRIMARY KEY, -- an order or payment
    kind     text   NOT NULL,  -- statutory-period | guest-statutory-period
    id       text   NOT NULL,  -- the member, or the guest's order
    position bigint NOT NULL
);
CREATE TABLE p_deadlines_v7_returns
(
    claim       uuid PRIMARY KEY,
    stream      text   NOT NULL, -- the order
    purchase_no text   NOT NULL,
    deliver_at  timestamptz,     -- when it would have counted as delivered
    position    bigint NOT NULL
);
CREATE INDEX p_deadlines_v7_returns_stream ON p_deadlines_v7_returns (stream);

CREATE TABLE p_deadlines_v7_retries
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
CREATE INDEX p_deadlines_v7_retries_of ON p_deadlines_v7_retries (kind, id);
COMMENT ON TABLE p_deadlines_v7_retries IS 'refused deadlines somebody had tried again: what was refused then, who asked for it, why and when';
COMMENT ON TABLE p_deadlines_v7 IS 'unpaid orders, purchases to deliver and to confirm, payments and refunds to resolve';
COMMENT ON TABLE p_deadlines_v7_returns IS 'which purchase each return is of, as its answer names only the claim, and the deadline it stopped';
COMMENT ON TABLE p_deadlines_v7_keeps IS 'whose records what happens to an order or payment keeps for longer: its buyer''s';
