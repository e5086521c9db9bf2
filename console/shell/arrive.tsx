import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Month, monthOfDay, todayInSaoPaulo } from '../../src/accounting/period.ts';
import { addressOf, type Place } from '../data/place.ts';
import { branchMonthsQuery } from '../data/queries.ts';
import { type ReachedCompany, useCompanies, useSession } from '../data/session.ts';
import { Empty, Result } from '../ui/states.tsx';
import { lastPlace } from './last-place.ts';
import { ScreenOf } from './screen-of.tsx';
import { useVisibleScreens } from './visible-screens.ts';

/** '/': goes on where the user was, else to the first branch and its oldest open month. */
export function Arrive() {
  const client = useQueryClient();
  const companies = useCompanies();
  const screen = useVisibleScreens()[0]?.path ?? 'inicio';
  const arrival = useQuery({
    queryKey: ['arrival', companies],
    gcTime: 0,
    queryFn: async () => {
      const here = firstBranch(companies);
      if (here === undefined) return null;
      const before = lastPlace();
      if (before?.company === here.company && before.branch === here.branch) return { ...before, screen };
      const { firstOpen, last } = await client.fetchQuery(branchMonthsQuery(here.company, here.branch));
      const month: Month = firstOpen ?? last ?? monthOfDay(todayInSaoPaulo(new Date()));
      return { ...here, month, screen };
    },
  });
  return <Result query={arrival}>{(place) => (place ? <GoTo place={place} /> : <Nowhere />)}</Result>;
}

/** The branch of the last visit, if the user still reaches it. */
function firstBranch(companies: readonly ReachedCompany[]): Pick<Place, 'company' | 'branch'> | undefined {
  const before = lastPlace();
  const reached = companies.flatMap(({ code, branches }) =>
    branches.map((each) => ({ company: code, branch: each.code })),
  );
  return reached.find(({ company, branch }) => company === before?.company && branch === before.branch) ?? reached[0];
}

function GoTo({ place }: { readonly place: Place }) {
  const navigate = useNavigate();
  const address = addressOf(place);
  useEffect(() => {
    void navigate({ href: address, replace: true });
  }, [navigate, address]);
  return null;
}

/** An administrator of an empty installation begins the books; anybody else waits for an administrator. */
function Nowhere() {
  const session = useSession();
  if ('who' in session && session.who.user.admin) {
    return <ScreenOf file="start" />;
  }
  return (
    <main className="away">
      <Empty title="Nenhuma empresa para mostrar">
        Quem administra os acessos pode conceder uma empresa ou filial.
      </Empty>
    </main>
  );
}
