import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Month, monthOfDay, todayInSaoPaulo } from '../../src/accounting/period.ts';
import { addressOf, type Place } from '../data/place.ts';
import { branchesQuery, branchMonthsQuery, companiesQuery } from '../data/queries.ts';
import { SCREENS } from '../routes.tsx';
import { Empty, Result } from '../ui/states.tsx';
import { lastPlace } from './last-place.ts';

/** '/': goes on where the user was, else to the first branch and its oldest open month. */
export function Arrive() {
  const client = useQueryClient();
  const arrival = useQuery({ queryKey: ['arrival'], gcTime: 0, queryFn: () => firstPlace(client) });
  return <Result query={arrival}>{(place) => (place ? <GoTo place={place} /> : <Nowhere />)}</Result>;
}

function GoTo({ place }: { readonly place: Place }) {
  const navigate = useNavigate();
  const address = addressOf(place);
  useEffect(() => {
    void navigate({ href: address, replace: true });
  }, [navigate, address]);
  return null;
}

function Nowhere() {
  return (
    <main className="away">
      <Empty title="Nenhuma empresa para mostrar">
        Quem administra os acessos pode conceder uma empresa ou filial.
      </Empty>
    </main>
  );
}

async function firstPlace(client: ReturnType<typeof useQueryClient>): Promise<Place | null> {
  const companies = await client.fetchQuery(companiesQuery);
  const before = lastPlace();
  const company = companies.find((each) => each.company === before?.company) ?? companies[0];
  if (company === undefined) return null;
  const branches = await client.fetchQuery(branchesQuery(company.company));
  const branch =
    branches.find((each) => each.branch === before?.branch) ?? branches.find((each) => each.headOffice) ?? branches[0];
  if (branch === undefined) return null;
  const screen = SCREENS[0]?.path ?? 'inicio';
  if (before?.company === company.company && before.branch === branch.branch) return { ...before, screen };
  const { firstOpen, last } = await client.fetchQuery(branchMonthsQuery(company.company, branch.branch));
  const month: Month = firstOpen ?? last ?? monthOfDay(todayInSaoPaulo(new Date()));
  return { company: company.company, branch: branch.branch, month, screen };
}
