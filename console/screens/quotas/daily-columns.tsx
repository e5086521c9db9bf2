import { Badge, type Tone } from '../../ui/badge.tsx';
import { centavosOf, dayText } from '../../ui/format.ts';
import { amountColumn, type Column } from '../../ui/grid-columns.tsx';
import { decimalText, variationText } from './quota-text.ts';
import type { DailyQuota } from './quotas-data.ts';

const STATES: Readonly<Record<DailyQuota['status'], readonly [tone: Tone, word: string]>> = {
  PREVIEW: ['none', 'prévia'],
  CONFIRMED: ['done', 'confirmada'],
  STALE: ['open', 'desatualizada'],
  REPLACED: ['none', 'substituída'],
};

/** State of a quota by colour and word. */
export function QuotaBadge({ status }: Pick<DailyQuota, 'status'>) {
  const [tone, word] = STATES[status];
  return <Badge tone={tone}>{word}</Badge>;
}

export const DAILY_COLUMNS: readonly Column<DailyQuota>[] = [
  { id: 'day', title: 'Data', text: ({ referenceDate }) => dayText(referenceDate), look: 'strong', narrow: true },
  amountColumn<DailyQuota>({
    id: 'equity',
    title: 'Patrimônio líquido',
    amount: ({ netEquity }) => centavosOf(netEquity),
    dash: false,
  }),
  { id: 'quotas', title: 'Quantidade', text: ({ numberOfQuotas }) => decimalText(numberOfQuotas), align: 'end' },
  {
    id: 'value',
    title: 'Cota',
    text: ({ quotaValue }) => decimalText(quotaValue),
    align: 'end',
    look: 'strong',
    narrow: true,
  },
  { id: 'variation', title: 'Variação', text: ({ variation }) => variationText(variation), align: 'end' },
  amountColumn<DailyQuota>({
    id: 'inflow',
    title: 'Entradas',
    amount: ({ subscriptions }) => centavosOf(subscriptions),
  }),
  amountColumn<DailyQuota>({ id: 'outflow', title: 'Saídas', amount: ({ redemptions }) => centavosOf(redemptions) }),
  {
    id: 'state',
    title: 'Situação',
    text: ({ status }) => `${STATES[status][1]}..`,
    draw: ({ status }) => <QuotaBadge status={status} />,
    narrow: true,
  },
];
