import { useQuery } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { branchAsked } from '../../data/balances.ts';
import { api } from '../../data/client.ts';
import { useGo, usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { amountText, centavosOf, dayText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { InstitutionField } from '../../ui/institution-field.tsx';
import { useRemembered } from '../../ui/memory.ts';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { SelectField } from '../../ui/text-field.tsx';
import { ViewChoice } from '../../ui/view-choice.tsx';
import { MissingDefinition } from './missing-definition.tsx';
import { STATEMENT_KEY, STATEMENT_VIEWS } from './views.ts';

type Statement = Awaited<ReturnType<typeof api.reports.getStatement>>;

/** A line of the statement, or an account that it is made of. */
interface Figure {
  readonly key: string;
  readonly level: number;
  readonly name: string;
  readonly code: string;
  readonly amounts: readonly string[];
  readonly accountId: number | undefined;
}

const COMPARISONS = [
  { value: 'NONE', text: 'sem comparativo' },
  { value: 'PREVIOUS_YEAR_END', text: 'fim do exercício anterior' },
  { value: 'PREVIOUS_YEAR', text: 'mesmo período do ano anterior' },
  { value: 'PREVIOUS_MONTH', text: 'mês anterior' },
] as const;

export function StatementFigures({ tipo }: { readonly tipo: 'BP' | 'DRE' }) {
  const { company, branch, month } = usePlace();
  const [search, setSearch] = useSearchParams();
  const go = useGo();
  const comparativo = COMPARISONS.find(({ value }) => value === search.comparativo)?.value ?? 'NONE';
  const shown = branchAsked(branch, search);
  const parts = {
    path: { company, branch: shown },
    query: { tipo, ano: yearOf(month), mes: monthNumberOf(month), comparativo },
  };
  const query = useQuery({
    queryKey: [STATEMENT_KEY, parts],
    queryFn: ({ signal }) => api.reports.getStatement(parts, { signal }),
  });
  return (
    <Screen
      title={query.data?.name ?? 'Demonstrações e livros'}
      keys={[
        { keys: 'Enter', label: 'abre a linha ou o razão' },
        { keys: '→ ←', shown: '→ ←', label: 'contas da linha' },
        { keys: '*', shown: '*', label: 'abre tudo' },
      ]}
      actions={
        <>
          <InstitutionField />
          <SelectField
            label="Comparativo"
            hiddenLabel
            value={comparativo}
            choices={COMPARISONS}
            onChange={(value) => setSearch({ comparativo: value === 'NONE' ? undefined : value })}
          />
          <ViewChoice views={STATEMENT_VIEWS} value={tipo} />
          <Button
            icon="print"
            onClick={() => go({ screen: 'relatorios', search: { relatorio: 'demonstracao', tipo } })}
          >
            Imprimir
          </Button>
        </>
      }
    >
      {query.error instanceof PartidasProblem && query.error.code === 'STATEMENT_MISSING' ? (
        <MissingDefinition tipo={tipo} />
      ) : (
        <Result query={query}>{(statement) => <Figures statement={statement} tipo={tipo} />}</Result>
      )}
    </Screen>
  );
}

function Figures({ statement, tipo }: { readonly statement: Statement; readonly tipo: 'BP' | 'DRE' }) {
  const go = useGo();
  const rows = figuresOf(statement);
  const lines = rows.filter(({ accountId }) => accountId === undefined).map(({ key }) => key);
  const withAccounts = new Set(rows.flatMap(({ accountId }, at) => (accountId ? [lineBefore(rows, at)] : [])));
  // Totals are open, accounts are opened.
  const [open, setOpen] = useRemembered<ReadonlySet<string | number>>(
    `open ${tipo}`,
    new Set(lines.filter((key) => !withAccounts.has(key))),
  );
  const difference = statement.differences.find((each) => centavosOf(each) !== 0n);
  return (
    <>
      {difference !== undefined && (
        <p>
          <Badge tone="wrong">não fecha</Badge> O ativo difere do passivo com patrimônio líquido em{' '}
          {amountText(centavosOf(difference))}.
        </p>
      )}
      <DataGrid
        label={tipo === 'BP' ? 'Balanço patrimonial' : 'Resultado do exercício'}
        columns={columnsOf(statement, tipo)}
        rows={rows}
        keyOf={({ key }) => key}
        tree={{ levelOf: ({ level }) => level, open, onOpenChange: setOpen }}
        rowClass={({ accountId }) => (accountId === undefined ? 'grid-row-summary' : undefined)}
        onOpen={({ key, accountId }) => {
          if (accountId !== undefined) go({ screen: 'razao', search: { conta: String(accountId) } });
          else setOpen(open.has(key) ? new Set([...open].filter((each) => each !== key)) : new Set([...open, key]));
        }}
        empty={<Empty title="Sem demonstração">O plano de contas não tem definição desta demonstração.</Empty>}
      />
    </>
  );
}

function lineBefore(rows: readonly Figure[], at: number): string {
  for (let before = at; ; before--) if (rows[before]!.accountId === undefined) return rows[before]!.key;
}

function figuresOf({ rows }: Statement): Figure[] {
  return rows.flatMap((row, at) => {
    const key = row.line ?? `${row.source} ${at}`;
    const name = row.name ?? (row.source === 'OPEN_RESULT' ? 'Resultado do período' : 'Contas sem linha');
    return [
      { key, name, code: '', level: row.level, amounts: row.amounts, accountId: undefined },
      ...row.accounts.map(({ contaId, cdContabil, descricao, amounts }) => ({
        ...{ key: `${key} ${contaId}`, name: descricao, code: cdContabil },
        ...{ level: row.level + 1, amounts, accountId: contaId },
      })),
    ];
  });
}

function columnsOf({ columns }: Statement, tipo: 'BP' | 'DRE'): Column<Figure>[] {
  return [
    { id: 'name', title: 'Linha', text: ({ name }) => name, grows: true, atLeast: 16, tree: true, narrow: true },
    { id: 'code', title: 'Conta', text: ({ code }) => code, look: 'code' },
    ...columns.map(
      ({ from, to, day }, at): Column<Figure> => ({
        id: `amount ${at}`,
        title: tipo === 'BP' ? dayText(day) : from === to ? to : `${from} a ${to}`,
        text: ({ amounts }) => signedText(amounts[at]!),
        align: 'end',
        narrow: at === 0,
      }),
    ),
  ];
}

/** As statements are published: what lessens a line stands between brackets. */
function signedText(decimal: string): string {
  const amount = centavosOf(decimal);
  if (amount === 0n) return '–';
  return amount < 0n ? `-${amountText(amount)}` : amountText(amount);
}
