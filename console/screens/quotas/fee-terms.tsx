import { Badge } from '../../ui/badge.tsx';
import { dayText } from '../../ui/format.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { FEE_NAMES, type FundFee, type useFundFees } from './fees-data.ts';
import { decimalText } from './quota-text.ts';

/** What the fund is charged, and by what it is posted; written in Cadastros. */
export function FeeTerms({ fees }: { readonly fees: ReturnType<typeof useFundFees> }) {
  return (
    <Panel title="O que o fundo paga">
      <Result query={fees} rows={2}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="Nenhuma taxa cadastrada">
              Uma taxa diz quanto se cobra, desde quando e por qual lançamento padrão.
            </Empty>
          ) : (
            <ul className="fee-terms">
              {found.map((fee) => (
                <li key={fee.id}>
                  <strong>{FEE_NAMES[fee.kind]}</strong> {fee.active ? null : <Badge tone="none">inativa</Badge>}{' '}
                  <span>{termsText(fee)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Result>
      <p>
        <PlaceLink to={{ screen: 'cadastros' }} search={{ tipo: 'taxas-do-fundo' }}>
          Cadastro das taxas
        </PlaceLink>
      </p>
    </Panel>
  );
}

function termsText(fee: FundFee): string {
  const { rate, bands, dayBasis, benchmarkRate, benchmark, benchmarkShare, crystallizationMonths } = fee;
  return [
    ...(rate === null
      ? []
      : [`${percentText(rate)}${fee.kind === 'ADMINISTRATION' ? ' ao ano' : ' do que exceder a marca'}`]),
    ...(bands ?? []).map(({ from, to, rate: ofBand }) =>
      to == null
        ? `${percentText(ofBand)} acima de ${decimalText(from)}`
        : `${percentText(ofBand)} de ${decimalText(from)} a ${decimalText(to)}`,
    ),
    ...(fee.kind === 'ADMINISTRATION' ? [`base ${dayBasis} dias`] : []),
    ...(benchmarkRate === null && benchmark === null
      ? []
      : [
          `${percentText(benchmarkShare)} do índice${benchmarkRate === null ? '' : ` de ${percentText(benchmarkRate)} ao ano`}`,
        ]),
    ...(crystallizationMonths === null ? [] : [`cobrada nos meses ${crystallizationMonths.join(', ')}`]),
    `desde ${dayText(fee.startDate)}`,
    `lançamento padrão ${fee.template}`,
  ].join(' · ');
}

/** '2 %' of '2.00': without zeros that say nothing. */
function percentText(decimal: string): string {
  return `${decimalText(decimal.replace(/\.?0+$/, ''))} %`;
}
