-- Entry templates on a schedule, and uses that reverse themselves on the first day of the next month.
ALTER TABLE entry_template
  ADD COLUMN schedule jsonb,
  ADD COLUMN automatic_reversal boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN entry_template.schedule IS 'When uses are made by themselves: dayRule, dayOfMonth, firstMonth, lastMonth, active; the months between them follow from periodicity';
COMMENT ON COLUMN entry_template.automatic_reversal IS 'What a use posts is reversed on the first day of the next month';

ALTER TABLE entry_template_data
  ADD COLUMN origin text NOT NULL DEFAULT 'MANUAL' CHECK (origin IN ('MANUAL', 'AGENDADO', 'ESTORNO')),
  ADD COLUMN reversed_use_id bigint,
  ADD CONSTRAINT entry_template_data_reversed_use UNIQUE (company_id, reversed_use_id),
  ADD FOREIGN KEY (company_id, reversed_use_id) REFERENCES entry_template_data (company_id, id),
  ADD CHECK ((origin = 'ESTORNO') = (reversed_use_id IS NOT NULL));
COMMENT ON COLUMN entry_template_data.origin IS 'MANUAL: somebody made it; AGENDADO: the schedule; ESTORNO: it reverses another use';
COMMENT ON COLUMN entry_template_data.reversed_use_id IS 'The use that this one reverses; each is reversed once at most';
CREATE INDEX entry_template_data_pending ON entry_template_data (company_id, branch_id, day) WHERE status = 'PENDENTE';
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
