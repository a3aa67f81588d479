-- Pictures of the goods of returns and exchanges. What is in them is sealed here with the key of the order's parties, never a file with
-- an address. Which claim has one is decided in the log; `claimed` follows it, so that the others are swept away.
CREATE TABLE claim_pictures
(
    id          uuid PRIMARY KEY,
    order_id    uuid        NOT NULL,
    sealed      jsonb       NOT NULL, -- a WebP picture
    size        bigint      NOT NULL, -- bytes of the picture
    claimed     boolean     NOT NULL DEFAULT false,
    uploaded_at timestamptz NOT NULL
);
CREATE INDEX claim_pictures_order ON claim_pictures (order_id);
CREATE INDEX claim_pictures_unclaimed ON claim_pictures (uploaded_at) WHERE NOT claimed;
