-- With number and id in it, the index alone answers a walk along a document: PostgreSQL goes to the table for an
-- expression whose column the index lacks.
DROP INDEX entry_line_entry;
CREATE UNIQUE INDEX entry_line_entry ON entry_line (company_id, document_id, natural_key(entry_number), sequence)
  INCLUDE (entry_number, id);
COMMENT ON INDEX entry_line_entry IS 'Pages of a document in entry order, found by index alone, and an entry number only once in its document';
