import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { DayField } from '../../ui/typed-field.tsx';
import { useSpan } from './span.ts';

/** From and to of the address. */
export function SpanFields() {
  const { month } = usePlace();
  const { from, to } = useSpan();
  const [, setSearch] = useSearchParams();
  return (
    <>
      <DayField label="De" value={from} month={month} onChange={(day) => setSearch({ de: day })} size={10} />
      <DayField label="Até" value={to} month={month} onChange={(day) => setSearch({ ate: day })} size={10} />
    </>
  );
}
