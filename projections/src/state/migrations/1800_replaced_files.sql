-- What a file was before it was replaced stays as a row of its own, so what it held is kept as long as the file is.
ALTER TABLE files
    ADD COLUMN earlier_of uuid,
    ADD COLUMN replaced_at timestamptz,
    ADD COLUMN replaced_by uuid,
    ADD CONSTRAINT files_replaced CHECK ((earlier_of IS NULL) = (replaced_at IS NULL) AND (earlier_of IS NULL) = (replaced_by IS NULL));
CREATE INDEX files_earlier ON files (earlier_of) WHERE earlier_of IS NOT NULL;
COMMENT ON COLUMN files.earlier_of IS 'the file this row was before it was replaced; none: it is a file as it is';
