-- What buyers are asked to pay besides their orders. The seller is that of the purchase, see orders_purchases.
CREATE TABLE p_user_payments_v1
(
    id          uuid PRIMARY KEY,
    number      text COLLATE "C" NOT NULL,
    member      uuid,                      -- null: a guest
    purpose     text        NOT NULL,      -- EXCHANGE_FEE
    order_id    uuid        NOT NULL,
    order_no    text COLLATE "C" NOT NULL,
    purchase_no text COLLATE "C" NOT NULL,
    claim       uuid        NOT NULL,
    amount      bigint      NOT NULL,      -- hundredths
    status      text        NOT NULL,      -- PAY_AWAITING | PAY_COMPLETED | PAY_CANCELED
    payment     uuid,                      -- it was paid with; null: not paid, or by a bank transfer
    reason      text,                      -- why it was canceled
    created_at  timestamptz NOT NULL,
    changed_at  timestamptz NOT NULL,
    position    bigint      NOT NULL       -- of its last event
);
CREATE INDEX p_user_payments_v1_created ON p_user_payments_v1 (created_at DESC, id DESC);
CREATE INDEX p_user_payments_v1_status ON p_user_payments_v1 (status, created_at DESC, id DESC);
CREATE INDEX p_user_payments_v1_number ON p_user_payments_v1 (number);
CREATE INDEX p_user_payments_v1_purchase ON p_user_payments_v1 (purchase_no);
COMMENT ON TABLE p_user_payments_v1 IS 'what buyers are asked to pay besides their orders, and whether they did';
