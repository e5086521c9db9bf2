-- The closing checklist: which of its findings stop a month close.

ALTER TABLE company_options ADD COLUMN block_on text[];
COMMENT ON COLUMN company_options.block_on IS 'Findings of the closing checklist that stop the close of a month; NULL: those of the layout (src/accounting/closing-checklist.ts)';
