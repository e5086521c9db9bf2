import { useQuery } from '@tanstack/react-query';
import { monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { type Place, type Search, usePlace } from '../../data/place.ts';
import { MONTHS_KEY } from '../../data/queries.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { centavosOf, countText } from '../../ui/format.ts';
import { PlaceLink } from '../../ui/place-link.tsx';

type Checklist = Awaited<ReturnType<typeof api.queries.getClosingChecklist>>;
export type Finding = Checklist['findings'][number];
type Code = Finding['code'];

/** The closing checklist of the branch's month. */
export function useChecklist(branch: string, isOpened: boolean) {
  const { company, month } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'checklist', branch, month],
    enabled: isOpened,
    queryFn: ({ signal }) =>
      api.queries.getClosingChecklist(
        { path: { company, branch, year: yearOf(month), month: monthNumberOf(month) } },
        { signal },
      ),
  });
}

/** Findings that a step of its own shows. */
const ELSEWHERE: ReadonlySet<Code> = new Set<Code>([
  'MONTH_OPEN',
  'DAYS_OPEN',
  'RULES_FAILED',
  'CONSOLIDATED',
  'SEALED',
]);

/** What is left for the step of the checklist. */
export function ownFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ code, state, count }) => !ELSEWHERE.has(code) && state !== 'NOT_APPLICABLE' && count > 0);
}

const TONES: Readonly<Record<Finding['state'], readonly [tone: Tone, word: string]>> = {
  BLOCKED: ['wrong', 'impede'],
  WARNING: ['open', 'aviso'],
  PENDING: ['none', 'a fazer'],
  OK: ['done', 'em ordem'],
  NOT_APPLICABLE: ['none', 'não se aplica'],
};

/** Items shown before the rest is counted. */
const SHOWN = 5;

/** What is to be mended, each with the way to where it is mended. */
export function FindingList({ branch, findings }: { readonly branch: string; readonly findings: readonly Finding[] }) {
  return (
    <ul className="findings">
      {findings.map((finding) => (
        <FindingEntry key={finding.code} branch={branch} finding={finding} />
      ))}
    </ul>
  );
}

function FindingEntry({ branch, finding }: { readonly branch: string; readonly finding: Finding }) {
  const { code, title, state, count, items } = finding;
  const [tone, word] = TONES[state];
  const rest = count - Math.min(items.length, SHOWN);
  return (
    <li>
      <details open={state === 'BLOCKED'}>
        <summary>
          <span className="finding-title">{title}</span> <Badge tone={tone}>{`${countText(count)} · ${word}`}</Badge>
        </summary>
        <ul>
          {items.slice(0, SHOWN).map(({ name, amount, path }) => {
            const { to, search } = mendedAt(code, path);
            return (
              <li key={`${name} ${path}`} className="finding-item">
                <PlaceLink to={{ branch, ...to }} {...(search ? { search } : {})}>
                  {name}
                </PlaceLink>
                {amount !== null && <Amount value={centavosOf(amount)} side />}
              </li>
            );
          })}
          {rest > 0 && <li className="finding-rest">{`e mais ${countText(rest)}`}</li>}
        </ul>
      </details>
    </li>
  );
}

interface Mending {
  readonly to: Partial<Place>;
  readonly search?: Search;
}

/** Where the console mends what the service would mend at that path. */
function mendedAt(code: Code, path: string): Mending {
  const id = path.split('/').at(-1)!;
  return MENDED[code](id);
}

const MENDED: Readonly<Record<Code, (id: string) => Mending>> = {
  MONTH_OPEN: () => ({ to: { screen: 'fechamento' } }),
  DAYS_OPEN: () => ({ to: { screen: 'fechamento' } }),
  UNBALANCED_DOCUMENTS: (documento) => ({ to: { screen: 'lancamentos' }, search: { documento } }),
  BOOKS_DIFFER: () => ({ to: { screen: 'balancete' } }),
  IMPORTS_WITH_ERRORS: () => ({ to: { screen: 'importar' } }),
  INVERTED_BALANCES: (conta) => ({ to: { screen: 'razao' }, search: { conta } }),
  MEMORANDUM_DIFFERENCE: () => ({ to: { screen: 'balancete' } }),
  CLOSURE_SETTINGS_MISSING: () => ({ to: { screen: 'cadastros' } }),
  STALE_QUOTAS: () => ({ to: { screen: 'cotas' } }),
  TEMPLATES_PENDING: () => ({ to: { screen: 'lancamentos' } }),
  DRAFTS_WAITING: () => ({ to: { screen: 'lancamentos' } }),
  RULES_FAILED: (processo) => ({ to: { screen: 'regras' }, search: { processo } }),
  CONSOLIDATED: () => ({ to: { screen: 'fechamento' } }),
  SEALED: () => ({ to: { screen: 'fechamento' } }),
  BOOKS_ISSUED: () => ({ to: { screen: 'demonstracoes' } }),
};
