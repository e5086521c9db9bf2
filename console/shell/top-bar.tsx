import { useGo, usePlace } from '../data/place.ts';
import { useCompanies } from '../data/session.ts';
import { Icon } from '../ui/icon.tsx';
import { MonthRuler } from './month-ruler.tsx';

interface TopBarProps {
  readonly onSearch: () => void;
}

/** Where the user is: company, branch, month. */
export function TopBar({ onSearch }: TopBarProps) {
  const { company, branch } = usePlace();
  const go = useGo();
  const companies = useCompanies();
  const here = companies.find(({ code }) => code === company);
  const toCompany = (code: string) => {
    const first = companies.find((each) => each.code === code)?.branches[0];
    if (first) go({ company: code, branch: first.code, search: {} });
  };
  return (
    <header className="top">
      {companies.length > 1 ? (
        <select
          className="top-company"
          aria-label="Empresa"
          value={company}
          onChange={(event) => toCompany(event.target.value)}
        >
          {companies.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <strong className="top-company" title={here?.name}>
          {here?.name ?? company}
        </strong>
      )}
      <select
        className="top-branch"
        aria-label="Filial"
        value={branch}
        onChange={(event) => go({ branch: event.target.value })}
      >
        {here?.branches.map(({ code, name }) => (
          <option key={code} value={code}>
            {code} · {name}
          </option>
        ))}
      </select>
      <MonthRuler />
      <button type="button" className="top-search" onClick={onSearch}>
        <Icon name="search" />
        <span>Buscar conta, tela ou valor</span>
        <kbd>Ctrl K</kbd>
      </button>
    </header>
  );
}
