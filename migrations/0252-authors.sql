-- Every batch, document and line says who made it and who changed it last, by user name: the name of that moment, which
-- is also what the trail says. What was there before says nothing. The history has the same columns, or purging and
-- restoring would not give back the same rows.
DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['batch', 'document', 'entry_line', 'batch_history', 'document_history', 'entry_line_history'] LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN created_by text, ADD COLUMN updated_by text', kept);
    EXECUTE format('COMMENT ON COLUMN %I.created_by IS %L', kept, 'Name of the user who made it; of closing entries, who asked for the consolidation');
    EXECUTE format('COMMENT ON COLUMN %I.updated_by IS %L', kept, 'Name of the user who changed it last; NULL: nobody did');
  END LOOP;
END $$;
