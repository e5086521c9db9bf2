-- A restricted routine admits only those on an access row in force; the others are open until they have rows.
ALTER TABLE routine ADD COLUMN restricted boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN routine.restricted IS 'true: without rows nobody but administrators passes; set by administrators, and when the last row is taken away';
COMMENT ON TABLE routine_access IS 'Who passes a routine; one without rows is open to whoever has a tenant, unless it is restricted';

INSERT INTO routine (code, name, description, module) VALUES
  ('REOPENING', 'Reabertura de mês', 'Reabrir o último mês consolidado', 'MOVIMENTO')
ON CONFLICT (code) DO NOTHING;
UPDATE routine SET description = 'Abrir meses' WHERE routine.code = 'MONTH_OPENING' AND routine.description = 'Abrir e reabrir meses';
UPDATE routine SET restricted = true
 WHERE routine.code IN ('COMPANIES', 'COMPLIANCE_RULES', 'SETTINGS', 'PURGING', 'REOPENING');

-- Were a routine open again without its rows, whoever takes the last one away would let everybody in. A routine with
-- rows admits those on them alone, restricted or not, so it need not be asked whether this was the last: two who take
-- the last two away at once would each see the other's.
CREATE FUNCTION restrict_left_routine() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE routine SET restricted = true, updated_at = now() WHERE routine.id = OLD.routine_id AND NOT routine.restricted;
  RETURN NULL;
END $$;
CREATE TRIGGER routine_access_taken AFTER DELETE ON routine_access
  FOR EACH ROW EXECUTE FUNCTION restrict_left_routine();
CREATE TRIGGER routine_access_moved AFTER UPDATE OF routine_id ON routine_access
  FOR EACH ROW WHEN (OLD.routine_id <> NEW.routine_id) EXECUTE FUNCTION restrict_left_routine();
