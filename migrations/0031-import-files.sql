-- The files themselves, so that a line of the ledger opens the row that it came from.

CREATE TABLE import_file (
  company_id bigint NOT NULL,
  import_id bigint NOT NULL,
  encoding text NOT NULL CHECK (encoding IN ('utf8', 'latin1', 'windows-1252')),
  bytes bigint NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, import_id),
  FOREIGN KEY (company_id, import_id) REFERENCES import_record
);
COMMENT ON TABLE import_file IS 'Files that were imported, until IMPORT_KEEP_DAYS after; written in the transaction of their lines';
COMMENT ON COLUMN import_file.bytes IS 'Length of the file itself; import_record.content_hash is its SHA-256';
CREATE INDEX import_file_age ON import_file (kept_at);
COMMENT ON INDEX import_file_age IS 'Files that have been kept for long enough';
CALL enable_tenant_isolation('import_file');

CREATE TABLE import_file_piece (
  company_id bigint NOT NULL,
  import_id bigint NOT NULL,
  piece integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (company_id, import_id, piece),
  FOREIGN KEY (company_id, import_id) REFERENCES import_file ON DELETE CASCADE
);
COMMENT ON TABLE import_file_piece IS 'The compressed bytes (Zstandard) of a file in pieces, so that neither side ever has a large file in memory';
-- They are compressed already.
ALTER TABLE import_file_piece ALTER COLUMN content SET STORAGE EXTERNAL;
CALL enable_tenant_isolation('import_file_piece');
