-- What the regulators' files say of a company beside its books.

ALTER TABLE company ADD COLUMN state_registration text, ADD COLUMN municipal_registration text, ADD COLUMN conversion_date date;
COMMENT ON COLUMN company.conversion_date IS 'When it became a company of the trade register, having been another kind of society';
ALTER TABLE branch ADD COLUMN state_registration text, ADD COLUMN municipal_registration text;

CREATE TABLE regulatory_profile (
  company_id bigint PRIMARY KEY REFERENCES company ON DELETE CASCADE,
  audited boolean NOT NULL,
  bookkeeping text NOT NULL CHECK (bookkeeping IN ('CENTRALIZED', 'BY_BRANCH')),
  branch_as_cost_centre boolean NOT NULL,
  ecd_book text NOT NULL CHECK (ecd_book IN ('G', 'B')),
  balance_sheet_id bigint REFERENCES statement,
  income_statement_id bigint REFERENCES statement,
  equity_statement_id bigint REFERENCES statement,
  auditor jsonb,
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE regulatory_profile IS 'How a company writes its bookkeeping file (ECD); without a row, as its kind of institution does';
COMMENT ON COLUMN regulatory_profile.audited IS 'IND_GRANDE_PORTE: it must have its statements audited';
COMMENT ON COLUMN regulatory_profile.bookkeeping IS 'IND_CENTRALIZADA: one book for all branches, or one for each';
COMMENT ON COLUMN regulatory_profile.ecd_book IS 'G: the journal with every entry; B: daily trial balances, for institutions of the central bank';
COMMENT ON COLUMN regulatory_profile.auditor IS 'Who audits: document, name, code at the CVM';
CREATE INDEX regulatory_profile_balance_sheet ON regulatory_profile (balance_sheet_id) WHERE balance_sheet_id IS NOT NULL;
CREATE INDEX regulatory_profile_income_statement ON regulatory_profile (income_statement_id) WHERE income_statement_id IS NOT NULL;
CREATE INDEX regulatory_profile_equity_statement ON regulatory_profile (equity_statement_id) WHERE equity_statement_id IS NOT NULL;
COMMENT ON INDEX regulatory_profile_balance_sheet IS 'Rejects deletion of a statement that profiles name';
COMMENT ON INDEX regulatory_profile_income_statement IS 'Rejects deletion of a statement that profiles name';
COMMENT ON INDEX regulatory_profile_equity_statement IS 'Rejects deletion of a statement that profiles name';
CALL enable_tenant_isolation('regulatory_profile');

CREATE TABLE company_registration (
  company_id bigint NOT NULL REFERENCES company ON DELETE CASCADE,
  entity text NOT NULL,
  code text,
  PRIMARY KEY (company_id, entity)
);
COMMENT ON TABLE company_registration IS 'Other authorities that a company is registered with: register 0007 of the ECD';
COMMENT ON COLUMN company_registration.entity IS 'COD_ENT_REF of the federal revenue service';
CALL enable_tenant_isolation('company_registration');
