-- Memorandum accounts balance among themselves, unless the branch says that they may mix with others.
ALTER TABLE company_options ADD COLUMN memorandum_mixing text NOT NULL DEFAULT 'REFUSE'
  CHECK (memorandum_mixing IN ('REFUSE', 'ALLOW'));
COMMENT ON COLUMN company_options.memorandum_mixing IS 'ALLOW: an entry may balance memorandum accounts against others';
