import { centavosOf, dayText, instantText } from '../../ui/format.ts';
import { amountColumn, type Column } from '../../ui/grid-columns.tsx';
import { FEE_NAMES, type FeeAccrual } from './fees-data.ts';
import { decimalText } from './quota-text.ts';

export const ACCRUAL_COLUMNS: readonly Column<FeeAccrual>[] = [
  { id: 'day', title: 'Data', text: ({ date }) => dayText(date), look: 'strong', narrow: true },
  { id: 'kind', title: 'Taxa', text: ({ kind }) => FEE_NAMES[kind], narrow: true },
  { id: 'baseDay', title: 'Patrimônio de', text: ({ baseDate }) => dayText(baseDate) },
  amountColumn<FeeAccrual>({ id: 'base', title: 'Base', amount: ({ base }) => centavosOf(base), dash: false }),
  { id: 'days', title: 'Dias', text: ({ days, dayBasis }) => (dayBasis === null ? '' : `${days}/${dayBasis}`) },
  {
    id: 'amount',
    title: 'Valor',
    text: ({ amount }) => decimalText(amount),
    align: 'end',
    look: 'strong',
    narrow: true,
  },
  {
    id: 'provision',
    title: 'Provisão',
    text: ({ provision }) => (provision === null ? '' : decimalText(provision)),
    align: 'end',
  },
  { id: 'state', title: 'Situação', text: ({ status }) => (status === 'POSTED' ? 'lançada' : 'estornada') },
  {
    id: 'by',
    title: 'Lançamento',
    text: ({ postedAt, postedBy, reason }) =>
      `${instantText(postedAt)} · ${postedBy}${reason === null ? '' : ` · ${reason}`}`,
    grows: true,
    look: 'faint',
  },
];
