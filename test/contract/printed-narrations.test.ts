import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { archiveMonth, closeMonth, openMonth, unarchiveMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { print } from '../support/report-books.ts';

// What a posted line prints does not change: the text of its standard narration is that of the moment of posting.

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const md = (method: string, path: string, body?: unknown) => platform.admin.call('masterdata', method, path, body);
const mov = (method: string, path: string, body?: unknown) => platform.admin.call('movements', method, path, body);

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
async function made(answer: Promise<any>): Promise<any> {
  const { status, text, body } = await answer;
  expect(status < 300, text).toBe(true);
  return body;
}

/** Every narration of the journal of January, each text once. */
async function narrations(): Promise<string[]> {
  const { cells } = await print(platform.admin, 'lancamentos', {
    empresa: bank.company,
    filial: bank.branch,
    dataInicio: '2026-01-01',
    dataFim: '2026-01-31',
    visualizationEnum: 'CSV',
  });
  const at = cells[0]!.indexOf('Histórico');
  return [...new Set(cells.slice(1, -1).map((row) => row[at]!))].toSorted();
}

/** One line of an IPL file with its record of 156 characters. */
function iplLine(documento: string, narrationCode: string, complement: string): string {
  const [company, branch] = [bank.company.padEnd(5), bank.branch.padEnd(5)];
  return [
    `2${company}${branch}000077${documento.padEnd(10)}20260105000001D`,
    `${'1.1.1'.padEnd(20)}${'3.1'.padEnd(20)}${'100'.padStart(17, '0')}${narrationCode.padEnd(5)}${complement.padEnd(52)}`,
  ].join('');
}

/** Posts one entry by every way that takes the code of a standard narration. */
async function postEveryWay(): Promise<void> {
  const { company, branch } = bank;
  const place = { empresa: company, filial: branch, ano: 2026, mes: 1 };
  const accounts = { contaId: bank.accounts.get('1.1.1'), contrapartida: bank.accounts.get('3.1') };
  const entry = { debcre: 'D', day: '05', valor: 1, ...accounts };
  for (const door of [mov, md]) {
    const batch = await made(door('POST', '/batch', place));
    const { id: documentId } = await made(door('POST', '/document', { batchId: batch.id, documento: '1' }));
    await made(door('POST', '/entry', { ...entry, documentId, cdhistorico: 'T', historico: `por ${door.name}` }));
    await made(door('POST', '/entry', { ...entry, documentId, cdhistorico: 'P' }));
    await made(door('POST', '/entry', { ...entry, documentId, cdhistorico: 'P', historico: 'no lugar do padrão' }));
  }
  const { id: batchId } = await made(mov('POST', '/batch', place));
  const form = new FormData();
  const rows = [
    'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico',
    '9;1;5;D;1.1.1;3.1;1;CSV;T',
  ];
  form.set('file', new Blob([rows.join('\n')]), 'entries.csv');
  expect((await made(mov('POST', `/batch/${batchId}/import`, form))).success).toBe(true);
  const line = { debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '3.1', valor: 1 };
  const lancamentos = [{ ...line, lancamento: '1', cdhistorico: 'T', historico: 'JSON' }];
  await made(
    mov('POST', '/importMovimentJson', { ...place, lote: '88', documentos: [{ documento: '1', lancamentos }] }),
  );
  await made(
    platform.admin.call(
      'movements',
      'POST',
      `/importMoviment/${company}/${branch}/movimento`,
      iplLine('1', 'T', 'IPL'),
      {
        'content-type': 'text/plain',
      },
    ),
  );
  await made(
    md('POST', `/release/${company}/${branch}`, {
      code: 'R',
      description: 'Modelo',
      lines: [
        { sequence: 1, debcre: 'D', ...accounts, valueType: 'FIXO', valor: 1, cdhistorico: 'T', historico: 'modelo' },
      ],
    }),
  );
  await made(
    md('POST', '/releasedata/', { company, branch, code: 'R', year: 2026, month: 1, day: 5, status: 'LANCADO' }),
  );
}

/** What the journal prints of them. */
const POSTED = [
  'Recebido CSV à vista',
  'Recebido IPL à vista',
  'Recebido JSON à vista',
  'Recebido modelo à vista',
  'Recebido por md à vista',
  'Recebido por mov à vista',
  'Texto padrão',
  'no lugar do padrão',
];

test('the text of a history is that of the moment of posting, whatever the way in', async () => {
  bank = await createBank(platform.admin);
  const { company, branch } = bank;
  await openMonth(platform.admin, bank, '01/2026');
  const template = await made(md('POST', '/history', { cdHistory: 'T', description: 'Recebido {0} à vista' }));
  const plain = await made(md('POST', '/history', { company, branch, cdHistory: 'P', description: 'Texto padrão' }));
  await postEveryWay();
  expect(await narrations()).toEqual(POSTED);

  await made(md('PUT', `/history/${template.id}`, { cdHistory: 'T', description: 'PROPINA {0}' }));
  await made(md('PUT', `/history/${plain.id}`, { company, branch, cdHistory: 'P', description: 'Outro' }));
  expect(await narrations()).toEqual(POSTED);
});

test('queries read the text of the posting; the entry itself keeps what was sent', async () => {
  const { company, branch } = bank;
  const period = `empresa=${company}&filial=${branch}&dataInicio=2026-01-01&dataFim=2026-01-31`;
  const { body } = await platform.admin.get('queries', `/api/v1/legacy-integration/lancamentos-contabeis?${period}`);
  const texts = body.conteudo.content.map((each: { historico: string }) => each.historico);
  expect([...new Set(texts)].toSorted()).toEqual(POSTED);
  const { body: batches } = await platform.admin.get('movements', `/allbatch/${company}/${branch}`);
  const [document] = (await platform.admin.get('movements', `/alldocument/${batches[0].id}`)).body;
  const [line] = (await platform.admin.get('movements', `/allentry/${document.id}`)).body;
  expect(line).toMatchObject({ cdhistorico: 'T', historico: 'por mov' });
});

test('an entry that is changed keeps its text; with another history it gets that one of now', async () => {
  const { body: batches } = await platform.admin.get('movements', `/allbatch/${bank.company}/${bank.branch}`);
  const [document] = (await platform.admin.get('movements', `/alldocument/${batches[0].id}`)).body;
  const [line] = (await platform.admin.get('movements', `/allentry/${document.id}`)).body;
  const { documentId, debcre, day, contaId, contrapartida, cdhistorico, historico } = line;
  const same = { documentId, debcre, day, contaId, contrapartida, cdhistorico, historico };
  await made(mov('PUT', `/entry/${line.id}`, { ...same, valor: 2 }));
  expect(await narrations()).toEqual(POSTED);
  await made(mov('PUT', `/entry/${line.id}`, { ...same, valor: 2, historico: 'outra vez' }));
  expect(await narrations()).toEqual(['PROPINA outra vez', ...POSTED.filter((each) => !each.includes('por mov'))]);
});

test('closing entries and reversals keep theirs too, and archiving takes them along and back', async () => {
  bank = await createBank(platform.admin);
  const { company, branch } = bank;
  await openMonth(platform.admin, bank, '01/2026');
  const own = { company, branch, cdHistory: 'E' };
  const { id: closingHistoryId } = await made(md('POST', '/history', { ...own, description: 'Apuração {0}' }));
  await made(
    md('POST', '/closuresettings', { ...closureSettings(bank, [1]), cdhistorico: 'E', historico: 'de janeiro' }),
  );
  const batch = await made(mov('POST', '/batch', { empresa: company, filial: branch, ano: 2026, mes: 1 }));
  const { id: documentId } = await made(mov('POST', '/document', { batchId: batch.id }));
  const entry = { contaId: bank.accounts.get('1.1.1'), contrapartida: bank.accounts.get('7.1'), valor: 5 };
  const line = await made(
    mov('POST', '/entry', { documentId, debcre: 'D', day: '05', ...entry, cdhistorico: 'E', historico: 'feita' }),
  );
  await made(
    mov('POST', `/entry/${line.id}/reversal`, {
      day: '2026-01-06',
      motivo: 'Lançado em duplicidade',
      historico: 'desfeita',
    }),
  );
  await made(
    mov('POST', '/entry', { documentId, debcre: 'D', day: '05', ...entry, cdhistorico: 'E', historico: 'mantida' }),
  );
  await closeMonth(platform.admin, bank, '01/2026');
  await made(md('PUT', `/history/${closingHistoryId}`, { ...own, description: 'PROPINA' }));
  const kept = [
    'Apuração de janeiro',
    'Apuração desfeita (estorno do lançamento 1/1/1 de 05/01/2026: Lançado em duplicidade)',
    'Apuração feita',
    'Apuração mantida',
  ];
  expect(await narrations()).toEqual(kept);
  await archiveMonth(platform.admin, bank, '01/2026');
  await unarchiveMonth(platform.admin, bank, '01/2026');
  expect(await narrations()).toEqual(kept);
});
