import { useQuery } from '@tanstack/react-query';
import { monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { MONTHS_KEY } from '../../data/queries.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { centavosOf, countText, monthTitle, sideOf } from '../../ui/format.ts';
import { Result } from '../../ui/states.tsx';

type Preview = Awaited<ReturnType<typeof api.queries.previewMonthClose>>;

/** What closing the month would do: what stands against it, the result, the closing entries. Nothing is written. */
export function PreviewDialog({ branch, onClose }: { readonly branch: string; readonly onClose: () => void }) {
  const { company, month } = usePlace();
  const preview = useQuery({
    queryKey: [MONTHS_KEY, company, 'preview', branch, month],
    // What was true a moment ago is no preview.
    staleTime: 0,
    queryFn: ({ signal }) =>
      api.queries.previewMonthClose(
        { path: { company, branch, year: yearOf(month), month: monthNumberOf(month) } },
        { signal },
      ),
  });
  return (
    <Dialog title={`Prévia de ${monthTitle(month)}, filial ${branch}`} onClose={onClose} wide bare>
      <Result query={preview} rows={8}>
        {(found) => (
          <>
            <Verdict preview={found} />
            <ResultAccounts preview={found} />
            <ClosingEntries preview={found} />
          </>
        )}
      </Result>
    </Dialog>
  );
}

function Verdict({ preview: { wouldClose, problems, warning, lines } }: { readonly preview: Preview }) {
  return (
    <>
      <p>
        {wouldClose ? <Badge tone="done">consolidaria</Badge> : <Badge tone="wrong">não consolidaria</Badge>}{' '}
        {`${countText(lines)} partidas no mês`}
      </p>
      {problems.map(({ code, message }) => (
        <p key={`${code} ${message}`} className="field-problem">
          {message}
        </p>
      ))}
      {warning !== null && <p>{`Aviso: ${warning.message}`}</p>}
    </>
  );
}

function ResultAccounts({ preview: { result, netResult } }: { readonly preview: Preview }) {
  const net = centavosOf(netResult);
  const side = sideOf(net);
  if (result.length === 0) return <p>Nenhuma conta de resultado tem saldo.</p>;
  return (
    <table className="preview-table">
      <caption>Resultado antes do encerramento</caption>
      <tbody>
        {result.map(({ contaId, cdAccounting, description, balance }) => (
          <tr key={contaId}>
            <th scope="row">
              <span className="code">{cdAccounting}</span> {description}
            </th>
            <td>
              <Amount value={centavosOf(balance)} side />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{side === 'C' ? 'Lucro' : side === 'D' ? 'Prejuízo' : 'Resultado'}</th>
          <td>
            <Amount value={net} side />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function ClosingEntries({ preview: { closingEntries } }: { readonly preview: Preview }) {
  if (closingEntries === null) return <p>O mês não encerra o resultado: nenhum lançamento de encerramento.</p>;
  const { lote, day, historico, lines } = closingEntries;
  return (
    <table className="preview-table">
      <caption>{`Lançamentos de encerramento, lote ${lote}, dia ${day}: ${historico}`}</caption>
      <thead>
        <tr>
          <th scope="col">Lançamento</th>
          <th scope="col">Conta</th>
          <th scope="col" className="preview-amount">
            Valor
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ lancamento, contaId, cdAccounting, debcre, valor }) => (
          <tr key={`${lancamento} ${contaId} ${debcre}`}>
            <td>{lancamento}</td>
            <td className="code">{cdAccounting}</td>
            <td>
              <Amount value={centavosOf(valor)} side={debcre} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
