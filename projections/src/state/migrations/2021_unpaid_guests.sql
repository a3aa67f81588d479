-- What unpaid orders of guests hold, by the keyed hash of their phone and of the address they were sent from. A row whose order
-- is paid or canceled is dropped by whoever counts it next, or by the worker.
CREATE TABLE unpaid_guests
(
    hash     bytea  NOT NULL,
    order_id uuid   NOT NULL,
    pieces   bigint NOT NULL,
    PRIMARY KEY (hash, order_id)
);
CREATE INDEX unpaid_guests_order_id ON unpaid_guests (order_id);
