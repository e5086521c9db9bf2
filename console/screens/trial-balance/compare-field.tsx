import { useQuery } from '@tanstack/react-query';
import { addMonths, type Month, monthRange, slashOf } from '../../../src/accounting/period.ts';
import { usePlace } from '../../data/place.ts';
import { branchMonthsQuery } from '../../data/queries.ts';
import { monthShort } from '../../ui/format.ts';
import { SelectField } from '../../ui/text-field.tsx';

interface CompareProps {
  readonly value: Month | undefined;
  readonly onChange: (month: Month | undefined) => void;
}

/** Months offered; older ones are typed into the address. */
const MOST = 60;

/** Another month beside the one of the address: the one before, the end of the year before, or any that was opened. */
export function CompareField({ value, onChange }: CompareProps) {
  const { company, branch, month } = usePlace();
  const { data: opened } = useQuery(branchMonthsQuery(company, branch));
  const all = opened?.first && opened.last ? monthRange(opened.first, opened.last).toReversed().slice(0, MOST) : [];
  const months = all.filter((each) => each !== month);
  if (value !== undefined && !months.includes(value)) months.unshift(value);
  const before = addMonths(month, -1);
  return (
    <SelectField
      label="Comparar com"
      hiddenLabel
      className="trial-compare"
      value={value ?? ''}
      onChange={(chosen) => onChange(months.find((each) => each === chosen))}
      choices={[
        { value: '', text: 'Sem comparação' },
        ...months.map((each) => ({
          value: each,
          text: each === before ? `Comparar com ${monthShort(each)}` : `Comparar com ${slashOf(each)}`,
        })),
      ]}
    />
  );
}
