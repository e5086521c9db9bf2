import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { journal } from '../support/ecd-file.ts';
import { createEmptyBranch, importEcd } from '../support/ecd-imports.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

describe('a journal of another system', () => {
  test('is the books of a new branch, and proven against its own balances', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const { resultado, status, mensagem } = await importEcd(platform.admin, branch, journal().text());
    if (resultado === null) throw new Error(mensagem);
    expect({
      status,
      ...resultado,
      achados: resultado.achados.filter(({ impede }: { impede: boolean }) => impede),
    }).toMatchObject({
      ...{ status: 'DONE', importado: true, impeditivos: 0, achados: [] },
      prova: { contas: 7, meses: 2, diferencas: 0 },
    });
  });
});
