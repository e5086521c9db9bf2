import type { QueryClient } from '@tanstack/react-query';
import { type Month, monthFromIso } from '../src/accounting/period.ts';
import { balancesQuery, branchAsked } from './data/balances.ts';
import type { Search } from './data/place.ts';
import { branchMonthsQuery } from './data/queries.ts';
import { loadScreen, screenAt } from './routes.tsx';
import { ledgerPlaceOf, ledgerQuery } from './screens/ledger/ledger-data.ts';

/**
 * Asks for what a screen will ask for first, while its file and the session are still on their way: one wait in the
 * place of three. What is refused here is asked for and shown by the screen.
 */
export function readAhead(client: QueryClient, pathname: string, search: Search): void {
  const [, company, branch, monthText, path = ''] = pathname.split('/').map(decoded);
  const screen = screenAt(path);
  const month = monthFromIso(monthText ?? '');
  if (!company || !branch || screen === undefined) return;
  loadScreen(screen.file).catch(() => {});
  void client.prefetchQuery(branchMonthsQuery(company, branch));
  if (month !== undefined) readFigures(client, path, { company, branch, month }, search);
}

/** An address that nobody can read leads to no screen, and reads nothing ahead. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

interface Where {
  readonly company: string;
  readonly branch: string;
  readonly month: Month;
}

function readFigures(client: QueryClient, path: string, where: Where, search: Search): void {
  if (path === 'balancete') {
    void client.prefetchQuery(balancesQuery({ ...where, branch: branchAsked(where.branch, search) }, where.month));
  }
  const ledger = path === 'razao' && ledgerPlaceOf(where, search);
  if (ledger) void client.prefetchQuery(ledgerQuery(ledger));
}
