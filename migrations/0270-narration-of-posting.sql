-- What a posted line prints does not change: the text of its standard history is resolved when it is posted.
ALTER TABLE entry_line ADD COLUMN narration text;
COMMENT ON COLUMN entry_line.narration IS 'The text printed for the line, resolved when it was posted; NULL where that is history itself';
ALTER TABLE entry_line_history ADD COLUMN narration text;
COMMENT ON COLUMN entry_line_history.narration IS 'As in entry_line';

-- Texts of these codes as a branch sees them: its own before its company's before the installation's. The index on
-- standard_history (coalesce(company_id, 0), coalesce(branch_id, 0), code) finds them.
CREATE FUNCTION standard_narrations(company_id bigint, branch_id bigint, codes text[])
RETURNS TABLE (code text, description text)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT DISTINCT ON (standard_history.code) standard_history.code, standard_history.description
    FROM standard_history
   WHERE coalesce(standard_history.company_id, 0) IN (0, standard_narrations.company_id)
     AND coalesce(standard_history.branch_id, 0) IN (0, standard_narrations.branch_id)
     AND standard_history.code = ANY (standard_narrations.codes)
   ORDER BY standard_history.code, standard_history.branch_id NULLS LAST, standard_history.company_id NULLS LAST;
END;

-- The stored text of a line: the complement takes the place of {0}; without {0} it stands instead of the standard text.
CREATE FUNCTION posted_narration(standard text, complement text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN strpos(standard, '{0}') > 0
              THEN overlay(standard PLACING coalesce(complement, '') FROM strpos(standard, '{0}') FOR 3)
            WHEN complement IS NULL THEN standard END;

-- Lines posted before keep what they print today. The check of balanced entries has nothing to check in it.
ALTER TABLE entry_line DISABLE TRIGGER USER;
UPDATE entry_line SET narration = posted_narration(standard.description, entry_line.history)
  FROM (SELECT branch.company_id, branch.id AS branch_id, code_of_branch.code, code_of_branch.description
          FROM branch
         CROSS JOIN LATERAL standard_narrations(branch.company_id, branch.id,
                                                ARRAY(SELECT DISTINCT every.code FROM standard_history AS every))
                    AS code_of_branch) AS standard
 WHERE standard.company_id = entry_line.company_id AND standard.branch_id = entry_line.branch_id
   AND standard.code = entry_line.history_code
   AND posted_narration(standard.description, entry_line.history) IS NOT NULL;
ALTER TABLE entry_line ENABLE TRIGGER USER;
UPDATE entry_line_history SET narration = posted_narration(standard.description, entry_line_history.history)
  FROM (SELECT branch.company_id, branch.id AS branch_id, code_of_branch.code, code_of_branch.description
          FROM branch
         CROSS JOIN LATERAL standard_narrations(branch.company_id, branch.id,
                                                ARRAY(SELECT DISTINCT every.code FROM standard_history AS every))
                    AS code_of_branch) AS standard
 WHERE standard.company_id = entry_line_history.company_id AND standard.branch_id = entry_line_history.branch_id
   AND standard.code = entry_line_history.history_code
   AND posted_narration(standard.description, entry_line_history.history) IS NOT NULL;
