import { expect, test } from 'vitest';
import { buildClient } from './support/built-client.ts';
import { canRunGuides, type GuideRun, runGuide } from './support/guide.ts';
import { hasTool } from './support/system-tools.ts';

const canFeed = canRunGuides && hasTool('python3', { reason: 'the feed of docs/integrator.md is not run' });

test.runIf(canRunGuides)('the first ten minutes of README.md work as they are written', async () => {
  await runGuide('README.md', ({ output, status, file }) => {
    expect(status, output).toBe(0);
    expect(output).toContain('"valor":1000.00');
    expect(output).toContain('"successRows":1');
    expect(output).toContain('"accumulatedBalance":1250.50');
    expect(output).toContain('"status":"DONE"');
    expect(output).toContain('"text":"Caixa acima do limite: 1.250,50"');
    expect(file('trial-balance.pdf').subarray(0, 5).toString()).toBe('%PDF-');
  });
});

test.runIf(canRunGuides)('the semester of docs/accountant.md works as it is written', { timeout: 60_000 }, async () => {
  await runGuide('docs/accountant.md', ({ output, status, file }) => {
    expect(status, output).toBe(0);
    // One request is to be refused: opening a month that a book stands on, without a confirmation.
    expect(output.match(/"code":"[A-Z_]+","errors"/g)).toEqual(['"code":"CONFIRMATION_REQUIRED","errors"']);
    expect(output.match(/"status":"DONE"/g)).toHaveLength(5);
    // Interest of both months less two months of the agency's expenses and the rent of May, which June reversed.
    expect(file('dre.csv').toString()).toContain('15500,00');
    expect(output).toContain('"1.26281300"');
    for (const name of ['bp.pdf', 'balancete.pdf', 'diario.pdf', 'fundo.pdf'])
      expect(file(name).subarray(0, 5).toString(), name).toBe('%PDF-');
  });
});

test.runIf(canFeed)('the feed of docs/integrator.md works as it is written', { timeout: 60_000 }, async () => {
  const { folder } = await buildClient();
  const check = ({ output, status }: GuideRun) => {
    expect(status, output).toBe(0);
    expect(output.match(/"status":"(CREATED|REPEATED)","documentId":1,"lancamento":"1"/g)).toEqual([
      '"status":"CREATED","documentId":1,"lancamento":"1"',
      '"status":"REPEATED","documentId":1,"lancamento":"1"',
    ]);
    expect(output.match(/^posted 3, rejected 1$/gm)).toHaveLength(2);
    expect(output).toContain('liq-0005 INVALID_FIELD entries.3.day');
    expect(output).toContain('posted 2 by the client\n400 EXTERNAL_ID_REUSED\n');
    expect(output).toContain('saque-0001 300.10 300.10\nsaque-0002 99.90 99.90\n');
    expect(output).toMatch(/^[1-9]\d* events tell of postings$/m);
    expect(output.match(/"successRows":2,"errorRows":0/g)).toHaveLength(2);
    expect(output).toContain('"difference":-10.00,"since":"2026-01-30","days":0');
  };
  await runGuide('docs/integrator.md', check, { 'partidas-client': folder });
});
