import { SQL } from '../../platform/database/statement.ts';
/** SQL of the last month of a fund's own year, which is kept as DD/MM; NULL when it is not given. */
export const FUND_YEAR_END = SQL`substring(fund_settings.fiscal_year_end FROM '^[0-9]{2}/([0-9]{2})$')::integer`;
