-- Entry templates on a schedule, and uses that reverse themselves on the first day of the next month. What a line and a
-- use are called is English from here on; the services translate.
UPDATE entry_template
   SET lines = (
         SELECT jsonb_agg(jsonb_set(line.line, '{valueType}', CASE line.line ->> 'valueType'
                            WHEN 'FIXO' THEN '"FIXED"' WHEN 'INFORMADO' THEN '"GIVEN"'
                            WHEN 'PERCENTUAL' THEN '"PERCENTAGE"' ELSE '"ACCOUNT_BALANCE"' END::jsonb) ORDER BY line.place)
           FROM jsonb_array_elements(entry_template.lines) WITH ORDINALITY AS line (line, place))
 WHERE jsonb_array_length(entry_template.lines) > 0;
ALTER TABLE entry_template_data DROP CONSTRAINT entry_template_data_status_check;
UPDATE entry_template_data
   SET status = CASE entry_template_data.status WHEN 'LANCADO' THEN 'POSTED' ELSE 'PENDING' END;
ALTER TABLE entry_template_data
  ALTER COLUMN status SET DEFAULT 'PENDING',
  ADD CONSTRAINT entry_template_data_status_check CHECK (status IN ('PENDING', 'POSTED'));

ALTER TABLE entry_template
  ADD COLUMN schedule jsonb,
  ADD COLUMN automatic_reversal boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN entry_template.schedule IS 'When uses are made by themselves: dayRule, dayOfMonth, firstMonth, lastMonth, active; the months between them follow from periodicity';
COMMENT ON COLUMN entry_template.automatic_reversal IS 'What a use posts is reversed on the first day of the next month';

ALTER TABLE entry_template_data
  ADD COLUMN origin text NOT NULL DEFAULT 'MANUAL' CHECK (origin IN ('MANUAL', 'SCHEDULED', 'REVERSAL')),
  ADD COLUMN reversed_use_id bigint,
  ADD CONSTRAINT entry_template_data_reversed_use UNIQUE (company_id, reversed_use_id),
  ADD FOREIGN KEY (company_id, reversed_use_id) REFERENCES entry_template_data (company_id, id),
  ADD CHECK ((origin = 'REVERSAL') = (reversed_use_id IS NOT NULL));
COMMENT ON COLUMN entry_template_data.origin IS 'MANUAL: somebody made it; SCHEDULED: the schedule did; REVERSAL: it reverses another use';
COMMENT ON COLUMN entry_template_data.reversed_use_id IS 'The use that this one reverses; each is reversed once at most';
CREATE INDEX entry_template_data_pending ON entry_template_data (company_id, branch_id, day) WHERE status = 'PENDING';
COMMENT ON INDEX entry_template_data_pending IS 'What is still to be posted in a month';

CREATE TABLE entry_template_month (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  code text NOT NULL,
  month date NOT NULL,
  PRIMARY KEY (company_id, branch_id, code, month),
  FOREIGN KEY (company_id, branch_id, code) REFERENCES entry_template (company_id, branch_id, code) ON DELETE CASCADE
);
COMMENT ON TABLE entry_template_month IS 'Months that a schedule has made its use for: one that was removed is not made again';
CALL enable_tenant_isolation('entry_template_month');
