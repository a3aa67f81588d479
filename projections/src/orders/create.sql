-- Orders, their purchases and parcels, and the attempts to pay them.
CREATE TABLE p_orders_v8
(
    id             uuid PRIMARY KEY,
    order_no       text COLLATE "C" NOT NULL UNIQUE,
    buyer          uuid,                 -- the member; null for a guest
    contact_hash   text,                 -- a guest's phone, keyed hash, hex
    status         text        NOT NULL,
    payable        bigint      NOT NULL, -- hundredths
    payment_method text        NOT NULL,
    pay_by         timestamptz NOT NULL,
    created_at     timestamptz NOT NULL,
    paid_at        timestamptz,
    sender         jsonb       NOT NULL, -- sealed
    receiver       jsonb       NOT NULL, -- sealed
    state          jsonb       NOT NULL, -- the order as domain folds it
    claim_times    jsonb       NOT NULL, -- by claim: when it was requested, accepted, picked up, inspected, answered, completed, withdrawn
    version        bigint      NOT NULL,
    position       bigint      NOT NULL
);
CREATE INDEX p_orders_v8_buyer ON p_orders_v8 (buyer, created_at DESC) WHERE buyer IS NOT NULL;
CREATE INDEX p_orders_v8_contact ON p_orders_v8 (contact_hash) WHERE contact_hash IS NOT NULL;
CREATE INDEX p_orders_v8_latest ON p_orders_v8 (created_at DESC, id DESC);

CREATE TABLE p_orders_v8_purchases
(
    purchase_no       text COLLATE "C" PRIMARY KEY,
    order_id          uuid        NOT NULL,
    line              integer     NOT NULL, -- place in the order; those split off come last
    order_no          text COLLATE "C" NOT NULL,
    buyer             uuid,
    split_from        text COLLATE "C",     -- the purchase it was split off; null: placed so
    product           uuid        NOT NULL,
    option            uuid,
    seller            uuid        NOT NULL,
    code              text        NOT NULL,
    name              text        NOT NULL,
    option_name       text,
    thumb             text,
    quantity          bigint      NOT NULL,
    unit_price        bigint      NOT NULL, -- hundredths
    paid              bigint      NOT NULL, -- what the buyer pays for the line, fares apart, hundredths
    order_status      text        NOT NULL,
    claim_status      text        NOT NULL,
    purchase_status   text        NOT NULL,
    collection_status text        NOT NULL,
    tab               text        NOT NULL, -- the console tab it stands in; see orders/list_placement.rs
    list              text,                 -- the filter of my orders it stands in (spec V100-V103)
    claim_group       text,                 -- the group of claims it stands in (spec V104, V105)
    courier           text,
    invoice_no        text,
    confirm_on        date,                 -- Seoul day it confirms itself
    claim             uuid,                 -- the newest that was not withdrawn
    claim_kind        text,                 -- CANCEL | RETURN | EXCHANGE
    claim_reason      jsonb,                -- a text, or a buyer's own words sealed
    claim_pending     boolean     NOT NULL, -- it waits for its next step
    claim_fault       text,                 -- the party at fault: BUYER or SELLER
    claim_fee         text        NOT NULL, -- whether the buyer paid the fee of an exchange: none, due, received
    claim_for_staff   boolean     NOT NULL, -- it is on goods of several sellers
    claim_rejection   text,                 -- why it was refused
    awaits_deposit    boolean     NOT NULL, -- the order's virtual account is open
    pieces            text[]      NOT NULL, -- one- and two-letter pieces of name, option and code, for searching inside them
    created_at        timestamptz NOT NULL,
    paid_at           timestamptz,
    position          bigint      NOT NULL
);
CREATE INDEX p_orders_v8_purchases_order ON p_orders_v8_purchases (order_id, line);
CREATE INDEX p_orders_v8_purchases_buyer ON p_orders_v8_purchases (buyer) WHERE buyer IS NOT NULL;
CREATE INDEX p_orders_v8_purchases_tab ON p_orders_v8_purchases (tab, created_at DESC, purchase_no DESC);
CREATE INDEX p_orders_v8_purchases_latest ON p_orders_v8_purchases (created_at DESC, purchase_no DESC);
CREATE INDEX p_orders_v8_purchases_seller ON p_orders_v8_purchases (seller, created_at DESC, purchase_no DESC);
CREATE INDEX p_orders_v8_purchases_invoice ON p_orders_v8_purchases (invoice_no) WHERE invoice_no IS NOT NULL;
CREATE INDEX p_orders_v8_purchases_paid ON p_orders_v8_purchases (paid_at) WHERE paid_at IS NOT NULL;
CREATE INDEX p_orders_v8_purchases_pieces ON p_orders_v8_purchases USING gin (pieces);

CREATE TABLE p_orders_v8_parcels
(
    id           text COLLATE "C" PRIMARY KEY, -- the number of its purchase, or its claim and direction
    direction    text        NOT NULL,     -- OUT | BACK | SENT_BACK | REPLACEMENT
    status       text        NOT NULL,     -- SENT | DELAYED | ARRIVED | RETURNED
    order_id     uuid        NOT NULL,
    order_no     text COLLATE "C" NOT NULL,
    purchase_no  text COLLATE "C" NOT NULL,
    claim        uuid,                     -- null: it goes out first
    seller       uuid        NOT NULL,
    product      uuid        NOT NULL,
    name         text        NOT NULL,
    option_name  text,
    thumb        text,
    quantity     bigint      NOT NULL,     -- pieces
    courier      text,                     -- null: picked up without a number
    invoice_no   text,
    sent_at      timestamptz NOT NULL,
    arrived_at   timestamptz,
    delay_reason text,
    position     bigint      NOT NULL
);
CREATE INDEX p_orders_v8_parcels_order ON p_orders_v8_parcels (order_id);
CREATE INDEX p_orders_v8_parcels_latest ON p_orders_v8_parcels (sent_at DESC, id DESC);
CREATE INDEX p_orders_v8_parcels_seller ON p_orders_v8_parcels (seller, sent_at DESC, id DESC);
CREATE INDEX p_orders_v8_parcels_purchase ON p_orders_v8_parcels (purchase_no);
CREATE INDEX p_orders_v8_parcels_invoice ON p_orders_v8_parcels (invoice_no) WHERE invoice_no IS NOT NULL;

CREATE TABLE p_orders_v8_payments
(
    id               uuid PRIMARY KEY,
    order_id         uuid        NOT NULL,
    order_no         text        NOT NULL,
    user_payment     uuid,                 -- null: it pays the order itself
    user_payment_no  text,
    member           uuid,
    attempt          integer     NOT NULL,
    gateway_order_id text        NOT NULL,
    method           text        NOT NULL,
    status           text        NOT NULL, -- PAYMENT_AWAITING | PAYMENT_COMPLETED | PAYMENT_CANCELED
    amount           bigint      NOT NULL, -- hundredths
    refunded         bigint      NOT NULL, -- hundredths
    approved_at      timestamptz,
    receipt_url      text,
    started_at       timestamptz NOT NULL,
    state            jsonb       NOT NULL, -- the attempt as domain folds it
    version          bigint      NOT NULL,
    position         bigint      NOT NULL
);
CREATE INDEX p_orders_v8_payments_order ON p_orders_v8_payments (order_id, attempt);
CREATE INDEX p_orders_v8_payments_gateway ON p_orders_v8_payments (gateway_order_id);
CREATE INDEX p_orders_v8_payments_member ON p_orders_v8_payments (member, started_at DESC) WHERE member IS NOT NULL;

CREATE TABLE p_orders_v8_counts
(
    kind text PRIMARY KEY, -- order, or the tab purchases stand in
    live bigint NOT NULL
);
COMMENT ON TABLE p_orders_v8 IS 'orders; amounts in hundredths; sender, receiver and personal data inside state are sealed';
COMMENT ON TABLE p_orders_v8_purchases IS 'the lines of orders with their four statuses';
COMMENT ON TABLE p_orders_v8_parcels IS 'parcels out, back, sent back and in place of others: one for each purchase, and for each way of a claim';
COMMENT ON TABLE p_orders_v8_payments IS 'attempts to pay an order or the fee of an exchange in it, with what was refunded';
COMMENT ON TABLE p_orders_v8_counts IS 'how many orders there are, and how many purchases in each tab of the console';
