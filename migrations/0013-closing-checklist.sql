-- The closing checklist: which of its findings stop a month close.

ALTER TABLE company_options ADD COLUMN block_on text[];
COMMENT ON COLUMN company_options.block_on IS 'Findings of the closing checklist that stop the close of a month; NULL: those of the layout (src/accounting/closing-checklist.ts)';

-- A reversal says what it reverses and why, in the words of the moment: its documents may be archived apart.
ALTER TABLE entry_reversal
  ADD COLUMN batch_number text,
  ADD COLUMN document_number text,
  ADD COLUMN day date,
  ADD COLUMN reversal_batch_number text,
  ADD COLUMN reversal_document_number text,
  ADD COLUMN reversal_day date,
  ADD COLUMN reason text;
COMMENT ON COLUMN entry_reversal.reason IS 'Why it was reversed; NULL, as the numbers and days: reversed before they were recorded';

-- An entry of a fact that was not posted on its day (lançamento extemporâneo; Resolução CFC 1.330/2011, ITG 2000)
-- says when the fact was. The archive has the same columns, so that restoring gives back the same rows.
ALTER TABLE entry_line ADD COLUMN fact_day date CHECK (fact_day < day);
ALTER TABLE entry_line_archive ADD COLUMN fact_day date;
COMMENT ON COLUMN entry_line.fact_day IS 'Day of the fact, before the day of posting; NULL: posted on its day';
COMMENT ON COLUMN entry_line_archive.fact_day IS 'Day of the fact, before the day of posting; NULL: posted on its day';
ALTER TABLE entry_template_data ADD COLUMN fact_day date CHECK (fact_day < day);
COMMENT ON COLUMN entry_template_data.fact_day IS 'Day of the fact that the entries of this use are of, where it is another one';

-- What a line prints: its narration, after the day of the fact where that is another one. NULL where it equals narration.
CREATE FUNCTION compose_printed_narration(standard text, complement text, fact_day date) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN fact_day IS NULL THEN compose_narration(standard, complement)
            ELSE 'Lançamento extemporâneo – fato de ' || to_char(fact_day, 'DD/MM/YYYY')
                 || coalesce(': ' || coalesce(compose_narration(standard, complement), complement), '') END;
