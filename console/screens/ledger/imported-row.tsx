import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/client.ts';
import { countText } from '../../ui/format.ts';
import { Facts } from '../../ui/side-panel.tsx';
import { Result } from '../../ui/states.tsx';
import { LEDGER_KEY } from './ledger-data.ts';

/** The row of the imported file that a line came from, as it was sent. */
export function ImportedRow({ line }: { readonly line: number }) {
  const row = useQuery({
    queryKey: [LEDGER_KEY, 'imported row', line],
    queryFn: ({ signal }) => api.movements.getImportedRow({ path: { id: line } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className="ledger-import" aria-label="Arquivo importado">
      <Result query={row} rows={2}>
        {({ import: file, row: number, columns, cells, text }) => (
          <>
            <p>
              Importação <strong>{file.fileName}</strong>, linha {countText(number)}
            </p>
            {text === null ? (
              <Facts of={columns.map((column, at) => [column, cells[at] ?? ''] as const)} />
            ) : (
              <code className="ledger-written">{text}</code>
            )}
          </>
        )}
      </Result>
    </section>
  );
}
