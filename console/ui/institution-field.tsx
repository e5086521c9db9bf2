import { branchAsked, INSTITUTION } from '../data/balances.ts';
import { usePlace } from '../data/place.ts';
import { useSearchParams } from '../data/search-params.ts';
import { useCompanies } from '../data/session.ts';
import { CheckField } from './text-field.tsx';

/** All branches together, where there are several: `?instituicao=1` of the address. */
export function InstitutionField() {
  const { company, branch } = usePlace();
  const [search, setSearch] = useSearchParams();
  const value = branchAsked(branch, search) === INSTITUTION;
  const branches = useCompanies().find(({ code }) => code === company)?.branches ?? [];
  if (branches.length < 2 && !value) return null;
  return (
    <CheckField label="Instituição" value={value} onChange={(on) => setSearch({ instituicao: on ? '1' : undefined })} />
  );
}
