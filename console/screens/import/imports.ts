import type { api } from '../../data/client.ts';
import type { Tone } from '../../ui/badge.tsx';
import { countText } from '../../ui/format.ts';

/** Key of the list of imports: invalidated by whoever imports or undoes. */
export const IMPORTS_KEY = 'imports';

export type ImportRecord = Awaited<ReturnType<typeof api.movements.listImports>>[number];

/** How an import ended, in a word and a colour. */
export function stateOf({ status, rowsRefused }: ImportRecord): { readonly tone: Tone; readonly text: string } {
  switch (status) {
    case 'DONE':
      return { tone: 'done', text: 'importado' };
    case 'RUNNING':
      return { tone: 'open', text: 'em andamento' };
    case 'UNDONE':
      return { tone: 'none', text: 'desfeito' };
    case 'INTERRUPTED':
      return { tone: 'wrong', text: 'interrompido' };
    default:
      return {
        tone: 'wrong',
        text:
          rowsRefused === 0 ? 'recusado' : `${rowsText(rowsRefused)} ${rowsRefused === 1 ? 'recusada' : 'recusadas'}`,
      };
  }
}

/** '1 linha', '412 linhas'. */
export function rowsText(rows: number): string {
  return `${countText(rows)} ${rows === 1 ? 'linha' : 'linhas'}`;
}
