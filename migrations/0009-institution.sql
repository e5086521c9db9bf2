-- The institution: all branches of a company read as one, what they owe one another taken out.

ALTER TABLE company_options ADD COLUMN elimination_pairs jsonb;
COMMENT ON COLUMN company_options.elimination_pairs IS 'Pairs of account prefixes that cancel between branches, [{debit, credit}], in the papers of the institution; those of the head office count. NULL: the pairs of the layout';

-- Papers of a closed month are printed with the pairs of then.
DROP TRIGGER keep_earlier ON company_options;
CREATE TRIGGER keep_earlier AFTER UPDATE ON company_options FOR EACH ROW EXECUTE FUNCTION keep_earlier_record(
  'company_id', 'branch_id', 'signatories', 'elimination_pairs');

-- A branch of this code could not be named: in reports and reads it stands for the institution.
ALTER TABLE branch ADD CONSTRAINT branch_code_is_not_the_institution CHECK (code <> '*') NOT VALID;
