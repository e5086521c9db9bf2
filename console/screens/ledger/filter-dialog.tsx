import { useState } from 'react';
import { decimalOf } from '../../../src/accounting/money.ts';
import { type Day, dayFromIso, type Month, monthOfDay } from '../../../src/accounting/period.ts';
import type { Search } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { amountText, centavosOf } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import { AmountField, DayField } from '../../ui/typed-field.tsx';
import type { LineFilter } from './ledger-data.ts';

/** The filter of the address; days of another month are none. */
export function filterOf({ de, ate, texto, valor }: Search, month: Month): LineFilter {
  const dayOf = (text: string | undefined) => {
    const day = dayFromIso(text ?? '');
    return day !== undefined && monthOfDay(day) === month ? day : undefined;
  };
  const amount = valor !== undefined && /^\d{1,15}(\.\d{1,2})?$/.test(valor) ? valor : undefined;
  return { from: dayOf(de), to: dayOf(ate), text: texto?.slice(0, 100) || undefined, amount };
}

/** 'de 05 a 09, “juros”, 1.234,56'; nothing where all lines are shown. */
export function filterText({ from, to, text, amount }: LineFilter): string {
  const parts = [
    ...(from === undefined ? [] : [`de ${from.slice(8)}`]),
    ...(to === undefined ? [] : [`até ${to.slice(8)}`]),
    ...(text === undefined ? [] : [`“${text}”`]),
    ...(amount === undefined ? [] : [amountText(centavosOf(amount))]),
  ];
  return parts.join(', ');
}

/** Days, text and amount of the lines that are shown. */
export function FilterDialog({ month, onClose }: { readonly month: Month; readonly onClose: () => void }) {
  const [search, setSearch] = useSearchParams();
  const before = filterOf(search, month);
  const [from, setFrom] = useState<Day | undefined>(before.from);
  const [to, setTo] = useState<Day | undefined>(before.to);
  const [text, setText] = useState(before.text ?? '');
  const [amount, setAmount] = useState(before.amount === undefined ? undefined : centavosOf(before.amount));
  const isBackwards = from !== undefined && to !== undefined && from > to;
  const apply = () => {
    if (isBackwards) return;
    setSearch({
      ...{ de: from, ate: to, texto: text.trim() || undefined },
      valor: amount === undefined ? undefined : decimalOf(amount),
    });
    onClose();
  };
  return (
    <Dialog
      title="Quais lançamentos"
      onClose={onClose}
      onSubmit={apply}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary">
            Filtrar
          </Button>
        </>
      }
    >
      <div className="ledger-filter">
        <DayField label="Do dia" month={month} value={from} onChange={setFrom} />
        <DayField
          label="Até o dia"
          month={month}
          value={to}
          onChange={setTo}
          problem={isBackwards ? 'É antes do primeiro dia.' : undefined}
        />
        <TextField
          label="Texto do histórico"
          hint="Parte do texto, com ou sem acentos"
          maxLength={100}
          value={text}
          onChange={setText}
        />
        <AmountField label="Valor" value={amount} onChange={setAmount} />
      </div>
    </Dialog>
  );
}
