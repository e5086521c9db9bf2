-- Which import wrote a document or a line, so that an import can be undone, and the totals that its
-- sender stated.

-- The archive has the same columns, so that restoring gives back the same rows.
ALTER TABLE document ADD COLUMN import_id bigint;
ALTER TABLE document_archive ADD COLUMN import_id bigint;
ALTER TABLE entry_line ADD COLUMN import_id bigint;
ALTER TABLE entry_line_archive ADD COLUMN import_id bigint;
COMMENT ON COLUMN document.import_id IS 'The import that made it; NULL: made by hand, by an entry template or by month close';
COMMENT ON COLUMN document_archive.import_id IS 'The import that made it; NULL: made by hand, by an entry template or by month close';
COMMENT ON COLUMN entry_line.import_id IS 'The import that wrote it, found through the documents of its batch; NULL: posted otherwise';
COMMENT ON COLUMN entry_line_archive.import_id IS 'The import that wrote it, found through the documents of its batch; NULL: posted otherwise';

ALTER TABLE import_record
  ADD COLUMN month date,
  ADD COLUMN lines bigint,
  ADD COLUMN debits numeric(20,2),
  ADD COLUMN credits numeric(20,2),
  ADD COLUMN control_rows bigint,
  ADD COLUMN control_debits numeric(20,2),
  ADD COLUMN control_credits numeric(20,2),
  ADD COLUMN undone_at timestamptz,
  ADD COLUMN undone_by text,
  DROP CONSTRAINT import_record_status_check,
  ADD CONSTRAINT import_record_status_check CHECK (status IN ('RUNNING', 'DONE', 'REFUSED', 'UNDONE'));
COMMENT ON COLUMN import_record.lines IS 'Lines written; NULL where none were, or where they were written before lines named their import';
COMMENT ON COLUMN import_record.debits IS 'Debits of the lines that the file stands for, pairs counted on both sides';
COMMENT ON COLUMN import_record.credits IS 'Credits of the lines that the file stands for, pairs counted on both sides';
COMMENT ON COLUMN import_record.control_rows IS 'What the sender said that the file has; NULL: nothing was said';
COMMENT ON COLUMN import_record.control_debits IS 'What the sender said that the file has; NULL: nothing was said';
COMMENT ON COLUMN import_record.control_credits IS 'What the sender said that the file has; NULL: nothing was said';
