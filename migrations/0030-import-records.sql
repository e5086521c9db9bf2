-- What an accountant asks of an import afterwards: those into a month, and why one was rejected.

ALTER TABLE import_record ADD COLUMN problems jsonb;
COMMENT ON COLUMN import_record.problems IS 'The first faults of a rejected file; NULL: it had none, or it was only tried';
CREATE INDEX import_record_month ON import_record (company_id, branch_id, month, id);
COMMENT ON INDEX import_record_month IS 'Imports into a month, newest first';
