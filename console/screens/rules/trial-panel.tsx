import { type Month, monthFromIso, slashOf } from '../../../src/accounting/period.ts';
import { useChart } from '../../data/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/format.ts';
import { decimalText } from '../../ui/forms/readings.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { type Read, STATUS, type Trial } from './rules-data.ts';

interface TrialPanelProps {
  readonly trial: Trial | undefined;
  readonly error: unknown;
  readonly isTrying: boolean;
  readonly onGoTo: (line: number, column: number) => void;
}

/** What a trial found. */
export function TrialPanel({ trial, error, isTrying, onGoTo }: TrialPanelProps) {
  return (
    <SidePanel title="Resultado">
      <div aria-live="polite">
        {isTrying && <Loading rows={6} label="Provando" />}
        {!isTrying && error != null && <Failure error={error} />}
        {!isTrying && trial && error == null && <Explanation of={trial} onGoTo={onGoTo} />}
        {!isTrying && trial === undefined && error == null && (
          <p className="field-hint">
            <kbd>Ctrl Enter</kbd> prova o script nos saldos do mês, sem guardar nada.
          </p>
        )}
      </div>
    </SidePanel>
  );
}

type Explained = Pick<Trial, 'status' | 'value' | 'messages' | 'failure' | 'durationMs'> & {
  readonly reads: readonly Read[] | null;
};

interface ExplanationProps {
  readonly of: Explained;
  readonly onGoTo?: (line: number, column: number) => void;
}

/** How a script came to its result: what it said, what it returned, and every balance that it read. */
export function Explanation({ of, onGoTo }: ExplanationProps) {
  const { status, value, messages, failure, reads, durationMs } = of;
  const { tone, text } = STATUS[status];
  const said = [
    ...messages,
    ...(failure ? [{ text: failure.message, line: failure.line, column: failure.column }] : []),
  ];
  return (
    <div className="explanation">
      <p>
        <Badge tone={tone}>{text}</Badge>{' '}
        <small>{durationMs.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ms</small>
      </p>
      {said.length > 0 && (
        <ul className="explanation-said">
          {said.map((each) => (
            <li key={`${each.line}:${each.column} ${each.text}`}>
              {each.text}
              {onGoTo && (
                <Button kind="quiet" onClick={() => onGoTo(each.line, each.column)}>
                  linha {each.line}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {value !== null && value !== undefined && (
        <p>
          Retornou <strong>{valueText(value)}</strong>
        </p>
      )}
      {reads !== null && reads.length > 0 && (
        <>
          <h3>Saldos que a regra leu ({countText(reads.length)})</h3>
          <ul className="explanation-reads">
            {reads.map((read) => (
              <ReadBalance key={`${read.kind} ${read.month} ${read.day} ${read.account}`} read={read} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const KINDS: Readonly<Record<Read['kind'], string>> = {
  ACCUMULATED: '',
  BEFORE_CLOSING: 'antes do encerramento',
  DEBITS: 'débitos do mês',
  CREDITS: 'créditos do mês',
  DAY: 'saldo do dia',
};

/** A balance, and the way to the ledger that it is made of. */
function ReadBalance({ read }: { readonly read: Read }) {
  const { accounts = [] } = useChart();
  const account = accounts.find(({ code }) => code === read.account);
  const month = monthFromIso(read.month) as Month;
  const when = [read.day === null ? slashOf(month) : `dia ${read.day.slice(-2)}`, KINDS[read.kind]].filter(Boolean);
  return (
    <li>
      <span className="read-account">
        {account === undefined ? (
          read.account
        ) : (
          <PlaceLink to={{ screen: 'razao', month }} search={{ conta: String(account.id) }}>
            {read.account}
          </PlaceLink>
        )}
        <span className="read-balance">{decimalText(String(read.balance))}</span>
      </span>
      <small>
        {account?.name} · {when.join(' · ')}
      </small>
    </li>
  );
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'verdadeiro' : 'falso';
  if (typeof value !== 'number') return String(value);
  return value.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 10 });
}
