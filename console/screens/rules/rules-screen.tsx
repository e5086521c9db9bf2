import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from '../../data/search-params.ts';
import { RuleWorkshop } from './rule-workshop.tsx';
import { rulesQuery } from './rules-data.ts';
import { RunResults } from './run-results.tsx';
import './rules.css';

/** Regras: written and tried, or what they found in the month. */
export function RulesScreen() {
  const [{ ver, processo }] = useSearchParams();
  const rules = useQuery(rulesQuery);
  if (ver === 'resultados' || processo !== undefined) return <RunResults />;
  return <RuleWorkshop rules={rules} />;
}
