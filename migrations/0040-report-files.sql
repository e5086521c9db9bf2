-- Reports that are printed in the background: their files are where every process of an installation reads them.

CREATE TABLE report_file_piece (
  company_id bigint NOT NULL,
  job_id bigint NOT NULL,
  piece integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (company_id, job_id, piece),
  FOREIGN KEY (company_id, job_id) REFERENCES job ON DELETE CASCADE
);
COMMENT ON TABLE report_file_piece IS 'The compressed bytes (Zstandard) of a report printed in the background, in pieces; written in the transaction that ends its job, removed with the job after REPORT_RETENTION_HOURS';
-- They are compressed already.
ALTER TABLE report_file_piece ALTER COLUMN content SET STORAGE EXTERNAL;
-- A day's reports come and go: their space is free for the next ones soon.
ALTER TABLE report_file_piece SET (toast.autovacuum_vacuum_scale_factor = 0.05);
CALL enable_tenant_isolation('report_file_piece');
