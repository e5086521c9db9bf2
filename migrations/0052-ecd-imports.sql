-- outside of a transaction
-- Imports of bookkeeping files (ECD): they wait for a job, and of a branch one waits or runs at a time.
ALTER TABLE import_record
  DROP CONSTRAINT IF EXISTS import_record_kind_check,
  ADD CONSTRAINT import_record_kind_check CHECK (kind IN ('CSV', 'IPL', 'JSON', 'ECD')) NOT VALID;
ALTER TABLE import_record
  DROP CONSTRAINT IF EXISTS import_record_status_check,
  ADD CONSTRAINT import_record_status_check CHECK (status IN ('PENDING', 'RUNNING', 'DONE', 'REFUSED', 'UNDONE')) NOT VALID;
DROP INDEX CONCURRENTLY IF EXISTS job_one_ecd_import;
CREATE UNIQUE INDEX CONCURRENTLY job_one_ecd_import ON job (company_id, branch_id)
  WHERE kind = 'ECD_IMPORT' AND status IN ('PENDING', 'RUNNING');
COMMENT ON INDEX job_one_ecd_import IS 'A second import of a bookkeeping file into a branch is rejected while one waits or runs';
