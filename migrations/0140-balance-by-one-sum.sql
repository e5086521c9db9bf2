-- Balance proved by one number before entries are told apart: each line's amount, credits negative, times a 64-bit hash
-- of its entry under a seed of this statement. Entries that balance give exactly 0; others give 0 once in some 10^19
-- statements (docs/decisions/0012). Grouping by entry, which costs three times as much, only names the wrong one.
CREATE OR REPLACE FUNCTION refuse_unbalanced_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seed CONSTANT bigint := floor(random() * 9007199254740992)::bigint;
  wrong record;
BEGIN
  IF (SELECT coalesce(sum(CASE changed.side WHEN 'D' THEN changed.amount ELSE -changed.amount END
                          * hashtextextended(changed.entry_number, changed.document_id # seed)), 0) = 0
        FROM changed) THEN
    RETURN NULL;
  END IF;
  SELECT changed.document_id, changed.entry_number INTO wrong
    FROM changed
   GROUP BY changed.company_id, changed.document_id, changed.entry_number
  HAVING sum(CASE changed.side WHEN 'D' THEN changed.amount ELSE -changed.amount END) <> 0
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entry % of document % does not balance', wrong.entry_number, wrong.document_id
      USING ERRCODE = 'PB001';
  END IF;
  RETURN NULL;
END $$;
