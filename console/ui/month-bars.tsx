import { useState } from 'react';
import { type Centavos, magnitudeOf } from '../../src/accounting/money.ts';
import type { Month } from '../../src/accounting/period.ts';
import { Amount } from './amount.tsx';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { amountText, monthShort, monthTitle, sideOf } from './format.ts';

interface MonthBarsProps {
  /** What the bars show: 'Saldo no fim do mês'. */
  readonly title: string;
  /** Debit-positive, in the order of the months. */
  readonly months: readonly { readonly month: Month; readonly value: Centavos }[];
  /** The one that the screen is about. */
  readonly here: Month;
  readonly onOpen: (month: Month) => void;
}

/**
 * A bar for each month, upwards on the side of the last balance and downwards on the other; the same figures as a table.
 * Plain elements: a library of charts writes style sheets into the page, which its policy forbids.
 */
export function MonthBars({ title, months, here, onOpen }: MonthBarsProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className="bars">
      <figcaption>
        <span>{title}</span>
        <Button kind="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Gráfico' : 'Números'}
        </Button>
      </figcaption>
      {asTable ? (
        <BarTable title={title} months={months} />
      ) : (
        <Bars title={title} months={months} here={here} onOpen={onOpen} />
      )}
    </figure>
  );
}

function Bars({ title, months, here, onOpen }: MonthBarsProps) {
  const { up, down, isUp } = scaleOf(months.map(({ value }) => value));
  return (
    <ul className="bars-row" aria-label={title}>
      {months.map(({ month, value }) => (
        <li key={month}>
          <button
            type="button"
            className={classes('bars-month', month === here && 'bars-here')}
            aria-label={`${monthShort(month)}, ${monthTitle(month)}: ${amountText(value)} ${sideOf(value)}`}
            title={`${monthTitle(month)}: ${amountText(value)} ${sideOf(value)}`}
            onClick={() => onOpen(month)}
          >
            <span className="bars-half bars-up" style={{ flexGrow: up }}>
              <span style={{ height: isUp(value) ? share(value, up) : 0 }} />
            </span>
            <span className="bars-half bars-down" style={{ flexGrow: down }}>
              <span style={{ height: isUp(value) ? 0 : share(value, down) }} />
            </span>
            <span className="bars-name">{monthShort(month)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Largest bars above and below the line; the last balance says which side is above. */
function scaleOf(values: readonly Centavos[]) {
  const last = values.findLast((value) => value !== 0n) ?? 0n;
  const isUp = (value: Centavos) => value === 0n || value < 0n === last < 0n;
  const largest = (wanted: boolean) =>
    Math.max(0, ...values.filter((value) => isUp(value) === wanted).map((value) => Number(magnitudeOf(value))));
  return { up: largest(true), down: largest(false), isUp };
}

/** Of the half; lengths are only drawn, so a floating-point number does. */
function share(value: Centavos, largest: number): string {
  return largest === 0 ? '0' : `${(100 * Number(magnitudeOf(value))) / largest}%`;
}

function BarTable({ title, months }: Pick<MonthBarsProps, 'title' | 'months'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <div className="bars-table" tabIndex={0} role="region" aria-label={title}>
      <table>
        <tbody>
          {months.map(({ month, value }) => (
            <tr key={month}>
              <th scope="row">{monthTitle(month)}</th>
              <td>
                <Amount value={value} side />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
