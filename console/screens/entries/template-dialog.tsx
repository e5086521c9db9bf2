import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Centavos, decimalOf } from '../../../src/accounting/money.ts';
import { type Day, dayNumberOf, monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useChart } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { Empty, messageOf, Result } from '../../ui/states.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';
import { AmountField, DayField } from '../../ui/typed-field.tsx';
import { BATCHES_KEY } from './entries-data.ts';

interface Template {
  readonly code: string;
  readonly description: string;
  readonly lines: readonly {
    readonly sequence: number;
    readonly debcre: 'D' | 'C';
    readonly contaId: number;
    readonly valueType: string;
    readonly valor: string | null;
  }[];
}

interface Form {
  readonly code: string;
  readonly day: Day | undefined;
  readonly into: string;
  readonly amounts: Readonly<Record<number, Centavos | undefined>>;
}

interface TemplateDialogProps {
  /** The batch that is open: proposed. */
  readonly batch: string | undefined;
  readonly onDone: (documentId: number) => void;
  readonly onClose: () => void;
}

/** Posts a standard entry: its template, a day, and the amounts that it asks for. */
export function TemplateDialog({ batch, onDone, onClose }: TemplateDialogProps) {
  const { company, branch, month } = usePlace();
  const client = useQueryClient();
  const templates = useQuery(templatesQuery(company, branch));
  const [form, setForm] = useState<Form>({ code: '', day: undefined, into: batch ?? '', amounts: {} });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const key = useRef(crypto.randomUUID());
  const { code, day, into, amounts } = form;
  const chosen = templates.data?.find((each) => each.code === code) ?? templates.data?.[0];
  const problems = problemsOf(error);
  const change = (changes: Partial<Form>) => {
    key.current = crypto.randomUUID();
    setForm((before) => ({ ...before, ...changes }));
  };
  const asked = chosen === undefined ? [] : askedOf(chosen);
  const post = async () => {
    if (chosen === undefined || day === undefined || busy) return;
    setBusy(true);
    try {
      const valores = asked.flatMap(({ sequence }) => {
        const amount = amounts[sequence];
        return amount === undefined ? [] : [{ sequence, valor: decimalOf(amount) }];
      });
      const when = { year: yearOf(month), month: monthNumberOf(month), day: dayNumberOf(day) };
      const use = { company, branch, code: chosen.code, ...when, lote: into.trim() || null, valores };
      const body = { ...use, status: 'LANCADO' } as const;
      const used = await api.masterdata.createTemplateUse({ body }, { idempotencyKey: key.current });
      void client.invalidateQueries({ queryKey: [BATCHES_KEY] });
      if (used.documentId !== null) onDone(used.documentId);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const known = problems.day ?? problems.code ?? problems.lote;
  return (
    <Dialog
      title="Lançamento padrão"
      onClose={onClose}
      onSubmit={post}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={chosen === undefined || day === undefined}>
            Lançar
          </Button>
        </>
      }
    >
      <Result query={templates} rows={3}>
        {(list) =>
          list.length === 0 || chosen === undefined ? (
            <Empty title="Nenhum lançamento padrão nesta filial">Eles são feitos em Cadastros.</Empty>
          ) : (
            <>
              <SelectField
                label="Modelo"
                value={chosen.code}
                onChange={(value) => change({ code: value, amounts: {} })}
                choices={list.map((each) => ({ value: each.code, text: `${each.code} · ${each.description}` }))}
                problem={problems.code}
              />
              <DayField
                label="Dia"
                month={month}
                value={day}
                onChange={(value) => change({ day: value })}
                problem={problems.day}
              />
              <TextField
                label="Lote"
                maxLength={10}
                placeholder="um novo"
                value={into}
                onChange={(value) => change({ into: value })}
                problem={problems.lote}
              />
              <Amounts
                asked={asked}
                amounts={amounts}
                onChange={(sequence, value) => change({ amounts: { ...amounts, [sequence]: value } })}
              />
            </>
          )
        }
      </Result>
      {error !== undefined && known === undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

const templatesQuery = (company: string, branch: string) =>
  queryOptions({
    queryKey: ['entry templates', company, branch],
    queryFn: async ({ signal }) => {
      const all = await api.masterdata.listEntryTemplates({}, { signal });
      return all.flatMap((each) =>
        each.company === company && each.branch === branch && each.active === true ? [each as unknown as Template] : [],
      );
    },
  });

interface AskedAmount {
  readonly sequence: number;
  /** Absent: the base that percentages are taken of. */
  readonly line?: Template['lines'][number];
}

/** What must be given: each line without an amount of its own, and the base of percentages under 0. */
function askedOf({ lines }: Template): AskedAmount[] {
  const given = lines
    .filter(({ valueType }) => valueType === 'INFORMADO')
    .map((line) => ({ sequence: line.sequence, line }));
  const hasShares = lines.some(({ valueType }) => valueType === 'PERCENTUAL');
  return hasShares && given.length === 0 ? [{ sequence: 0 }] : given;
}

interface AmountsProps {
  readonly asked: readonly AskedAmount[];
  readonly amounts: Readonly<Record<number, Centavos | undefined>>;
  readonly onChange: (sequence: number, value: Centavos | undefined) => void;
}

function Amounts({ asked, amounts, onChange }: AmountsProps) {
  const { byId } = useChart();
  return asked.map(({ sequence, line }) => (
    <AmountField
      key={sequence}
      label={
        line === undefined
          ? 'Base dos percentuais'
          : `${line.debcre} ${byId(line.contaId)?.code ?? ''} ${byId(line.contaId)?.name ?? ''}`
      }
      value={amounts[sequence]}
      onChange={(value) => onChange(sequence, value)}
    />
  ));
}
