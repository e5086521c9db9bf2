import { type InputHTMLAttributes, type Ref, useState } from 'react';
import type { Centavos } from '../../src/accounting/money.ts';
import {
  type Day,
  dayFromIso,
  dayIn,
  dayNumberOf,
  dayOf,
  type Month,
  monthOf,
  slashOf,
  yearOf,
} from '../../src/accounting/period.ts';
import { Field, type FieldProps } from './field.tsx';
import { amountFromTyped, amountText, dayText, monthNumberFromWord } from './format.ts';

// Fields whose text is read when it is complete: amounts, days, months.

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className' | 'style'>;

export interface TypedProps<Value> extends FieldProps, InputProps {
  readonly value: Value | undefined;
  /** Called with each readable text; undefined where the field is empty or cannot be read. */
  readonly onChange: (value: Value | undefined) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

export interface Reading<Value> {
  readonly read: (text: string) => Value | undefined;
  readonly write: (value: Value) => string;
  /** Said when the text cannot be read. */
  readonly wrong: string;
}

/**
 * While it has the focus the field shows what was typed; then its value. What cannot be read stays, with the reason.
 * The blur handler writes nothing: the value has followed each key.
 */
export function TypedField<Value>({
  label,
  hiddenLabel,
  problem,
  hint,
  className,
  value,
  onChange,
  reading,
  ref,
  onBlur,
  ...rest
}: TypedProps<Value> & { readonly reading: Reading<Value> }) {
  const [typed, setTyped] = useState<string>();
  const [unread, setUnread] = useState(false);
  const shown = typed ?? (value === undefined ? '' : reading.write(value));
  return (
    <Field {...{ label, hiddenLabel, problem: problem ?? (unread ? reading.wrong : undefined), hint, className }}>
      {(ids) => (
        <input
          type="text"
          autoComplete="off"
          {...rest}
          {...ids}
          ref={ref}
          value={shown}
          onChange={(event) => {
            const text = event.target.value;
            setTyped(text);
            setUnread(false);
            onChange(text.trim() === '' ? undefined : reading.read(text));
          }}
          onBlur={(event) => {
            const text = event.target.value.trim();
            const isUnread = text !== '' && reading.read(text) === undefined;
            setUnread(isUnread);
            if (!isUnread) setTyped(undefined);
            onBlur?.(event);
          }}
        />
      )}
    </Field>
  );
}

const AMOUNT: Reading<Centavos> = {
  read: amountFromTyped,
  write: amountText,
  wrong: 'Escreva um valor como 1.234,56.',
};

/** An amount of BRL in centavos: '1.234,56' and whatever an accountant or a spreadsheet writes for it. */
export function AmountField(props: TypedProps<Centavos>) {
  return (
    <TypedField inputMode="decimal" {...props} className={`field-amount ${props.className ?? ''}`} reading={AMOUNT} />
  );
}

/** A day: '5' and '05' of `month`, '05/10', '05/10/2026'. */
export function DayField({ month, ...props }: TypedProps<Day> & { readonly month: Month }) {
  const reading: Reading<Day> = {
    read: (text) => dayFromTyped(text, month),
    write: dayText,
    wrong: 'Escreva um dia como 05/10/2026.',
  };
  return <TypedField inputMode="numeric" {...props} reading={reading} />;
}

/** A month: '10/2026', 'out', 'outubro 2026', '10' of the year of `near`. */
export function MonthField({ near, ...props }: TypedProps<Month> & { readonly near: Month }) {
  const reading: Reading<Month> = {
    read: (text) => monthFromTyped(text, near),
    write: slashOf,
    wrong: 'Escreva um mês como 10/2026.',
  };
  return <TypedField {...props} reading={reading} />;
}

export function dayFromTyped(text: string, month: Month): Day | undefined {
  const parts = text.trim().split(/[/.\- ]+/);
  if (parts.length === 1) return dayIn(month, Number(parts[0]));
  if (parts[0]!.length === 4) return dayFromIso(text.trim());
  const [day, of, year = yearOf(month)] = parts.map(Number);
  return dayOf(fullYear(year), of!, day!);
}

export function monthFromTyped(text: string, near: Month): Month | undefined {
  const match = /^\s*(?:(\d{4})-(\d{1,2})|(\d{1,2}|\p{L}+)(?:(?:\s*[/.-]\s*|\s+(?:de\s+)?)(\d{4}|\d{2}))?)\s*$/u.exec(
    text,
  );
  if (match === null) return undefined;
  if (match[1] !== undefined) return monthOf(Number(match[1]), Number(match[2]));
  const word = match[3]!;
  const number = /^\d/.test(word) ? Number(word) : monthNumberFromWord(word);
  if (number === undefined) return undefined;
  return monthOf(match[4] === undefined ? yearOf(near) : fullYear(Number(match[4])), number);
}

function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

/** '05' of a day: short where the month is known. */
export function dayNumberText(day: Day): string {
  return String(dayNumberOf(day)).padStart(2, '0');
}
