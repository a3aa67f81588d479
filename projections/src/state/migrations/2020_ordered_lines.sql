-- Which order took a line out of a cart: whoever orders the same line again is told its number. Kept for 7 days.
CREATE TABLE ordered_lines
(
    cart       uuid        NOT NULL, -- the member, or the id a guest's browser made for its cart
    line       text        NOT NULL, -- the member's cart line, or what a guest's line is of
    order_id   uuid        NOT NULL,
    order_no   text        NOT NULL,
    ordered_at timestamptz NOT NULL,
    PRIMARY KEY (cart, line)
);
CREATE INDEX ordered_lines_ordered_at ON ordered_lines (ordered_at);
