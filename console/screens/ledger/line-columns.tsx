import { type Centavos, magnitudeOf } from '../../../src/accounting/money.ts';
import type { ChartAccount } from '../../data/queries.ts';
import { amountColumn, type Column, widestAmount } from '../../ui/grid-columns.tsx';
import type { LedgerLine } from './ledger-data.ts';

interface ColumnOptions {
  readonly byId: (id: number) => ChartAccount | undefined;
  /** A panel beside the table says the rest. */
  readonly isCompact: boolean;
  /** Of a summary account, whose lines are of several. */
  readonly hasAccounts: boolean;
  /** Of the institution. */
  readonly hasBranches: boolean;
  /** Filtered lines have no running balance. */
  readonly hasBalance: boolean;
  /** Widest amounts of the month. */
  readonly widest: { readonly debit: Centavos; readonly credit: Centavos; readonly balances: readonly Centavos[] };
}

/** The columns of lines; those that are not read yet are as wide as the figures of the month demand. */
export function lineColumns(options: ColumnOptions): readonly Column<LedgerLine>[] {
  const { byId, isCompact, hasAccounts, hasBranches, hasBalance, widest } = options;
  return [
    {
      ...{ id: 'day', title: 'Dia', widest: '00', narrow: true },
      text: ({ day }) => day.slice(8),
      draw: (line) => (line.isFirstOfDay ? <strong>{line.day.slice(8)}</strong> : line.day.slice(8)),
    },
    ...(hasBranches ? [{ id: 'branch', title: 'Filial', text: branchOf, widest: '0000' } as const] : []),
    ...(isCompact
      ? []
      : [{ id: 'place', title: 'Lote·doc·lanç', text: placeOf, widest: PLACE, look: 'faint' } as const]),
    ...(hasAccounts ? [{ id: 'account', title: 'Conta', text: accountOf, look: 'code', widest: CODE } as const] : []),
    {
      ...{ id: 'offset', title: 'Contrapartida', grows: true, atLeast: 14 },
      text: (line) => offsetText(line, byId),
      draw: (line) => <Offset line={line} byId={byId} />,
    },
    { id: 'narration', title: 'Histórico', text: narrationOf, grows: true, atLeast: 8, narrow: true },
    amountColumn<LedgerLine>({
      ...{ id: 'debit', title: 'Débito', widest: widestAmount([widest.debit]) },
      amount: ({ side, amount }) => (side === 'D' ? amount : undefined),
    }),
    amountColumn<LedgerLine>({
      ...{ id: 'credit', title: 'Crédito', widest: widestAmount([widest.credit]) },
      amount: ({ side, amount }) => (side === 'C' ? amount : undefined),
    }),
    ...(hasBalance ? [balanceColumn(widest)] : []),
  ];
}

/** Within a day a balance is at most that of an evening and all that moved. */
function balanceColumn({ debit, credit, balances }: ColumnOptions['widest']): Column<LedgerLine> {
  const within = balances.flatMap((each) => [magnitudeOf(each) + debit, magnitudeOf(each) + credit]);
  return amountColumn<LedgerLine>({
    ...{ id: 'balance', title: 'Saldo', side: true, look: 'strong', narrow: true },
    widest: widestAmount(within, true),
    amount: ({ balance }) => balance,
  });
}

const PLACE = '0000·0000·00000';
const CODE = '0.0.0.00.00.00-0';

function branchOf({ branch }: LedgerLine): string {
  return branch;
}

function placeOf({ batch, document, entry }: LedgerLine): string {
  return `${batch}·${document}·${entry}`;
}

function accountOf({ account }: LedgerLine): string {
  return account;
}

function narrationOf({ narration }: LedgerLine): string {
  return narration;
}

function offsetText({ offset, offsetId }: LedgerLine, byId: ColumnOptions['byId']): string {
  return offset === null ? 'diversas' : `${offset} ${(offsetId !== null && byId(offsetId)?.name) || ''}`;
}

function Offset({ line, byId }: { readonly line: LedgerLine; readonly byId: ColumnOptions['byId'] }) {
  if (line.offset === null) return <span className="ledger-several">diversas</span>;
  return (
    <>
      <span className="code">{line.offset}</span> {line.offsetId !== null && byId(line.offsetId)?.name}
    </>
  );
}
