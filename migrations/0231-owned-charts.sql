-- A chart has one owner, who alone changes it: a company, the installation, or until options name it its creator.
ALTER TABLE chart ADD COLUMN owner_company_id bigint REFERENCES company ON DELETE SET NULL;
ALTER TABLE chart ADD COLUMN installation boolean NOT NULL DEFAULT false;
ALTER TABLE chart ADD COLUMN shared boolean NOT NULL DEFAULT false;
ALTER TABLE chart ADD CONSTRAINT chart_one_owner CHECK (NOT (installation AND owner_company_id IS NOT NULL));
COMMENT ON TABLE chart IS 'Charts of accounts; used by every branch whose options name them, changed by their owner alone';
COMMENT ON COLUMN chart.owner_company_id IS 'The company whose options named the chart first, or that an administrator set';
COMMENT ON COLUMN chart.installation IS 'true: the chart belongs to the installation, and administrators alone change it';
COMMENT ON COLUMN chart.shared IS 'true: options of other companies may name it; those that do keep it when it is no longer shared';
CREATE INDEX chart_owner ON chart (owner_company_id) WHERE owner_company_id IS NOT NULL;
COMMENT ON INDEX chart_owner IS 'Charts of a company, when it is deleted';

UPDATE chart SET owner_company_id = (
  SELECT company_options.company_id FROM company_options
   WHERE company_options.chart_id = chart.id
   ORDER BY company_options.created_at, company_options.company_id, company_options.id LIMIT 1);
