-- Everything that happened to an order, from whichever ledger. Personal data is masked before it gets here.
CREATE TABLE p_order_timeline_v10
(
    order_id       uuid        NOT NULL,
    position       bigint      NOT NULL,
    event_id       uuid        NOT NULL,
    part           integer     NOT NULL, -- 0; more only where one stored event became several
    stream_kind    text        NOT NULL,
    stream_id      text        NOT NULL,
    version        bigint      NOT NULL,
    type           text        NOT NULL,
    data           jsonb       NOT NULL,
    actor          jsonb,                -- null: written by a stranger to the shop
    reason         text,
    command        text,
    command_id     uuid,
    correlation_id uuid        NOT NULL,
    causation_id   uuid,
    at             timestamptz NOT NULL, -- occurredAt
    recorded_at    timestamptz NOT NULL,
    PRIMARY KEY (order_id, position, part)
);
CREATE INDEX p_order_timeline_v10_payment ON p_order_timeline_v10 (stream_id)
    WHERE type IN ('PaymentStarted', 'UserPaymentRequested');
CREATE INDEX p_order_timeline_v10_position ON p_order_timeline_v10 (position);
COMMENT ON TABLE p_order_timeline_v10 IS 'the history of each order over all ledgers, personal data masked';
