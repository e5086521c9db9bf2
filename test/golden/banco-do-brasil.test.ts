import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { segmentsKey } from '../../src/accounting/account-code.ts';
import { type Centavos, centavosFromDecimal, decimalOf } from '../../src/accounting/money.ts';
import { publishedBalance } from '../../src/accounting/published-sign.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { cosifGroupOf } from '../support/cosif-groups.ts';
import { FIRST_MASKS } from '../support/masks.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

interface Published {
  readonly CONTA: string;
  readonly NOME_CONTA: string;
  readonly SALDO: string;
}

/** Codes of the totals of both sides, which are no accounts. */
const TOTALS = /^(39999993|99999995)$/;

test('the published balances of a bank, loaded at leaf level, give every published synthetic balance to the cent', async () => {
  const text = await readFile(
    new URL('../fixtures/cosif/bcb_4010_202406_banco_do_brasil.csv', import.meta.url),
    'utf8',
  );
  const published = Papa.parse<Published>(text.replace(/^#/, ''), { header: true, skipEmptyLines: true })
    .data.filter((row) => !TOTALS.test(row.CONTA))
    .map((row) => ({ code: row.CONTA, name: row.NOME_CONTA, amount: centavosFromDecimal(row.SALDO)! }));
  const keys = published.map((each) => ({ ...each, key: segmentsKey(each.code, FIRST_MASKS) }));
  const childrenOf = (key: string) => keys.filter((each) => each.key !== key && parentKey(each.key, keys) === key);
  // Where the published children leave a rest, a technical leaf holds it.
  const leaves = new Map<string, Centavos>();
  let technical = 0;
  for (const { key, code, amount } of keys) {
    const children = childrenOf(key);
    if (children.length === 0) leaves.set(code, amount);
    else {
      const rest = children.reduce((sum, child) => sum - child.amount, amount);
      if (rest !== 0n) {
        technical++;
        leaves.set(`${code}-999`, rest);
      }
    }
  }
  console.log(
    `${published.length} published balances, ${leaves.size - technical} leaves, ${technical} technical leaves`,
  );

  const head = 'cdAccounting,description,nature,accountClass,accountType,parentCdAccounting';
  const rows = keys.map(({ code, key }) => {
    const group = cosifGroupOf(code)!;
    const type = leaves.has(code) ? 'A' : 'S';
    const parent = keys.find((each) => each.key === parentKey(key, keys))?.code ?? '';
    return [code, `Conta ${code}`, group.nature, group.accountClass, type, parent].join(',');
  });
  const technicalRows = [...leaves.keys()]
    .filter((code) => code.endsWith('-999'))
    .map((code) => {
      const group = cosifGroupOf(code)!;
      return [code, `Diferença ${code}`, group.nature, group.accountClass, 'A', code.slice(0, -4)].join(',');
    });
  const form = new FormData();
  form.set('file', new Blob([[head, ...rows, ...technicalRows].join('\n')]), 'chart.csv');
  const chart = await platform.admin.post('masterdata', '/chartOfAccounts/import?chart=BB&confirmed=true', form);
  expect(chart.body.errors).toEqual([]);
  const bank = await createBank(platform.admin, { chartCode: 'BB', accounts: [], baseYearMonth: '06/2024' });

  // Published amounts carry the published sign; the books are debit-positive.
  const signOf = (code: string) => {
    const { accountClass, nature } = cosifGroupOf(code)!;
    return publishedBalance(1n, { accountClass, normalBalance: nature });
  };
  const balances = [...leaves].map(([code, amount]) => ({ code, balance: amount * signOf(code) }));
  const rest = balances.reduce((sum, each) => sum + each.balance, 0n);
  console.log(`both sides differ by ${decimalOf(rest)} as published`);
  const last = balances.findLast((each) => each.code.startsWith('9')) ?? balances.at(-1)!;
  const saved = await platform.admin.call(
    'masterdata',
    'PUT',
    `/baseBalance/${bank.company}/${bank.branch}`,
    balances
      .map((each) => (each === last ? { ...each, balance: each.balance - rest } : each))
      .filter((each) => each.balance !== 0n)
      .map(({ code, balance }) => ({
        cdAccounting: code,
        balance: Number(decimalOf(balance < 0n ? -balance : balance)),
        dc: balance < 0n ? 'C' : 'D',
      })),
  );
  expect(saved.status, saved.text).toBe(200);
  await openMonth(platform.admin, bank, '06/2024');
  await closeMonth(platform.admin, bank, '06/2024');
  const corrected = new Set(ancestorsOf(segmentsKey(last.code, FIRST_MASKS), keys));
  const expected = new Map(
    keys
      .filter(({ code }) => code !== last.code)
      .map(({ key, code, amount }) => [code, corrected.has(key) ? amount - rest * signOf(code) : amount]),
  );
  for (const [door, shown] of await everyDoor(bank)) {
    const wrong = [...expected]
      .filter(([code, amount]) => (shown.get(code) ?? 0n) * signOf(code) !== amount)
      .map(([code, amount]) => `${code}: ${decimalOf(shown.get(code) ?? 0n)}, published ${decimalOf(amount)}`);
    expect(wrong, door).toEqual([]);
  }
  const { body } = await platform.admin.get('reports', `/api/v1/saldos/plsaldos?empresa=${bank.company}&filial=0001`);
  const sumOf = (accountClass: string) =>
    [...leaves].reduce(
      (sum, [code, amount]) => (cosifGroupOf(code)!.accountClass === accountClass ? sum + amount * signOf(code) : sum),
      0n,
    );
  expect(body.conteudo.content.map((each: Shown) => centavosOf(each.patrimonioLiquido!))).toEqual([
    sumOf('03') - (cosifGroupOf(last.code)!.accountClass === '03' ? rest : 0n),
  ]);
});

type Shown = Record<string, number>;

/** The balances at the end of June by code, debit-positive, as every endpoint that shows one shows them. */
async function everyDoor(bank: Bank): Promise<Map<string, Map<string, Centavos>>> {
  const { company, branch } = bank;
  const place = `empresa=${company}&filial=${branch}&tamanho=1000`;
  const listed = async (service: 'queries' | 'reports', path: string, code: string, amount: string) => {
    const { status, text, body } = await platform.admin.get(service, `/api/v1/${path}&${place}`);
    expect(status, text).toBe(200);
    return new Map<string, Centavos>(
      body.conteudo.content.map((each: Shown) => [String(each[code]), centavosOf(each[amount]!)]),
    );
  };
  const legacy = (more: string) =>
    listed('queries', `legacy-integration/consulta-contabil?dataFim=2024-06-30&${more}`, 'codigo_conta', 'saldo_atual');
  const plan = (path: string) => listed('reports', `saldos/${path}&ano=2024`, 'cdContabil', 'saldoAtual');
  const inquired = new Map<string, Centavos>();
  for (const [code, contaId] of bank.accounts) {
    const period = { anomesini: '06/2024', anomesfim: '06/2024' };
    const request = { contaId, empresa: company, filial: branch, ...period };
    const { body } = await platform.admin.post('queries', '/balanceInquiryDetails', request);
    inquired.set(code, centavosOf(body[0].accumulatedBalance));
  }
  return new Map([
    ['legacy by month', await legacy('dataInicio=2024-06-01')],
    ['legacy by day', await legacy('dataInicio=2024-06-30&tipoSaldo=D')],
    ['plano-saldo', await plan('plano-saldo?mes=6')],
    ['plano-saldo-dia', await plan('plano-saldo-dia?mes=06&dia=30')],
    ['balanceInquiryDetails', inquired],
  ]);
}

/** Amounts of this bank are doubles that hold their cents. */
function centavosOf(amount: number): Centavos {
  return centavosFromDecimal(amount.toFixed(2))!;
}

/** The longest published code above; inner zeros are skipped. */
function parentKey(key: string, all: readonly { key: string }[]): string | undefined {
  return all
    .map((each) => each.key)
    .filter((each) => key.startsWith(`${each}.`))
    .toSorted((a, b) => b.length - a.length)[0];
}

function ancestorsOf(key: string, all: readonly { key: string }[]): string[] {
  const parent = parentKey(key, all);
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent, all)];
}
