-- Purged movements: the same rows, byte for byte, out of the way of daily work.
CREATE TABLE batch_history (LIKE batch INCLUDING DEFAULTS, PRIMARY KEY (company_id, id));
COMMENT ON TABLE batch_history IS 'Batches of purged months';
CREATE INDEX batch_history_month ON batch_history (company_id, branch_id, month);
COMMENT ON INDEX batch_history_month IS 'Restoring a month, and the listing of what is in history';
CALL guard_tenant_table('batch_history');

CREATE TABLE document_history (LIKE document INCLUDING DEFAULTS, PRIMARY KEY (company_id, id));
COMMENT ON TABLE document_history IS 'Documents of purged months';
CREATE INDEX document_history_month ON document_history (company_id, branch_id, month);
COMMENT ON INDEX document_history_month IS 'Restoring a month';
CREATE INDEX document_history_batch ON document_history (company_id, batch_id);
COMMENT ON INDEX document_history_batch IS 'Documents of a purged batch';
CALL guard_tenant_table('document_history');

CREATE TABLE entry_line_history (LIKE entry_line INCLUDING DEFAULTS);
COMMENT ON TABLE entry_line_history IS 'Lines of purged months; one index only, because they are written by the million and read by the month';
CREATE INDEX entry_line_history_month ON entry_line_history (company_id, branch_id, month, document_id);
COMMENT ON INDEX entry_line_history_month IS 'Restoring a month, and the lines of a purged document';
CALL guard_tenant_table('entry_line_history');
