import type { EcdResult } from '../data/ecd-file.ts';
import { Badge } from './badge.tsx';
import { countText } from './format.ts';

type Finding = EcdResult['achados'][number];

interface EcdFindingsProps {
  readonly findings: readonly Finding[];
  readonly counts: EcdResult['contagens'];
}

const MOST_PLACES = 6;

/** Findings of a rule together; those that stand against the import first. */
export function EcdFindings({ findings, counts }: EcdFindingsProps) {
  if (findings.length === 0) return null;
  const groups = [...Map.groupBy(findings, ({ regra }) => regra)].map(([rule, group]) => ({
    ...{ rule, group, stops: group.some(({ impede }) => impede), isError: group[0]!.severidade === 'ERRO' },
    count: counts[rule] ?? group.length,
  }));
  const rankOf = ({ stops, isError }: (typeof groups)[number]) => (stops ? 0 : isError ? 1 : 2);
  return (
    <>
      <h3>O que foi encontrado</h3>
      <ul className="ecd-findings">
        {groups
          .toSorted((a, b) => rankOf(a) - rankOf(b))
          .map(({ rule, group, stops, isError, count }) => (
            <li key={rule}>
              <p>
                <Badge tone={stops ? 'wrong' : isError ? 'open' : 'none'}>
                  {stops ? 'impede' : isError ? 'erro do arquivo' : 'aviso'}
                </Badge>{' '}
                {group[0]!.texto}
                {count > 1 && ` (${countText(count)} vezes)`}
              </p>
              <p className="field-hint">
                {[...new Set(group.map(placeOf))].filter(Boolean).slice(0, MOST_PLACES).join('; ')}
              </p>
            </li>
          ))}
      </ul>
    </>
  );
}

/** 'linha 57, I155.VL_SLD_FIN: 1,00' */
function placeOf({ linha, registro, campo, valor }: Finding): string {
  const field = [registro, campo].filter(Boolean).join('.');
  const place = [linha ? `linha ${countText(linha)}` : '', field].filter(Boolean).join(', ');
  return valor ? `${place}: ${valor}` : place;
}
