CREATE INDEX standard_release_lines ON standard_release USING gin (lines jsonb_path_ops);
COMMENT ON INDEX standard_release_lines IS 'Refusal to delete, deactivate or turn synthetic an account that a standard release posts to';

-- The segments of a mask say where a code's levels end, whether or not dots part them in the code.
ALTER TABLE account_mask ADD COLUMN separated boolean NOT NULL DEFAULT true;
ALTER TABLE account_mask DROP COLUMN check_digit;
COMMENT ON COLUMN account_mask.mask IS '9 for each digit of a segment, D for the check digit: 9.9.9.99.99-D';
COMMENT ON COLUMN account_mask.separated IS 'false: the codes are bare digits';
UPDATE account_mask SET mask = '9.9.9.99.99-D', separated = false WHERE name = 'COFI';
