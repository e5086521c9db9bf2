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
