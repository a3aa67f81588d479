-- Codes that records gave up for another: addresses made of them lead to who had them last.
CREATE TABLE p_earlier_codes_v1
(
    kind     text   NOT NULL,
    code     text   NOT NULL,
    id       text   NOT NULL, -- the record that gave it up last
    position bigint NOT NULL, -- of the event that says so
    PRIMARY KEY (kind, code)
);
COMMENT ON TABLE p_earlier_codes_v1 IS 'codes brands and showrooms had before, and which of them had each last';
