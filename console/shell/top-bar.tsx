import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useGo, usePlace } from '../data/place.ts';
import { branchesQuery, companiesQuery } from '../data/queries.ts';
import { MonthRuler } from './month-ruler.tsx';

/** Where the user is: company, branch, month. */
export function TopBar() {
  const { company, branch } = usePlace();
  const go = useGo();
  const { data: companies = [] } = useQuery(companiesQuery);
  const { data: branches = [] } = useQuery(branchesQuery(company));
  const client = useQueryClient();
  const toCompany = async (next: string) => {
    const theirs = await client.fetchQuery(branchesQuery(next));
    const first = theirs.find(({ headOffice }) => headOffice) ?? theirs[0];
    if (first) go({ company: next, branch: first.branch, search: {} });
  };
  const name = companies.find((each) => each.company === company)?.name ?? company;
  return (
    <header className="top">
      {companies.length > 1 ? (
        <select
          className="top-company"
          aria-label="Empresa"
          value={company}
          onChange={(event) => void toCompany(event.target.value)}
        >
          {companies.map((each) => (
            <option key={each.company} value={each.company}>
              {each.name}
            </option>
          ))}
        </select>
      ) : (
        <strong className="top-company" title={name}>
          {name}
        </strong>
      )}
      <select
        className="top-branch"
        aria-label="Filial"
        value={branch}
        onChange={(event) => go({ branch: event.target.value })}
      >
        {branches.map((each) => (
          <option key={each.branch} value={each.branch}>
            {each.branch} · {each.name}
          </option>
        ))}
      </select>
      <MonthRuler />
    </header>
  );
}
