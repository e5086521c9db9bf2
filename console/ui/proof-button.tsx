import { type Month, monthNumberOf, yearOf } from '../../src/accounting/period.ts';
import { api } from '../data/client.ts';
import { usePlace } from '../data/place.ts';
import { useIsSealed } from '../data/seals.ts';
import { DownloadButton } from './download.tsx';

/** What is proven: an entry by what the books print of it, or the balance of an account by its code. */
export type Proven = { readonly entry: EntryName } | { readonly account: string };

interface EntryName {
  readonly batch: string;
  readonly document: string;
  readonly number: string;
}

interface ProofButtonProps {
  readonly branch: string;
  readonly month: Month;
  /** Asked when the button is pressed. @throws Error what is said where there is nothing to prove */
  readonly of: () => Proven;
  readonly children?: string;
}

/** Saves the proof that something stands in the sealed books of a month; nothing where the month has no seal. */
export function ProofButton({ branch, month, of, children = 'Baixar prova' }: ProofButtonProps) {
  const { company } = usePlace();
  if (!useIsSealed(branch, month)) return null;
  const path = { company, branch, year: yearOf(month), month: monthNumberOf(month) };
  return (
    <DownloadButton
      icon="seal"
      title="Prova, para um auditor, de que o que está marcado consta dos livros selados do mês"
      name={() => `prova-${branch}-${month}-${partsOf(of()).join('-')}.json`}
      from={async () => api.queries.getSealProof.response({ path, query: queryOf(of()) })}
    >
      {children}
    </DownloadButton>
  );
}

function queryOf(proven: Proven) {
  return 'entry' in proven ? { entry: partsOf(proven).map(encodeURIComponent).join('/') } : proven;
}

function partsOf(proven: Proven): readonly string[] {
  if (!('entry' in proven)) return [proven.account];
  const { batch, document, number } = proven.entry;
  return [batch, document, number];
}
