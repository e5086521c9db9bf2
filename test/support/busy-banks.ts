import { type Bank, createBank } from './banks.ts';
import type { LoadRequest } from './load.ts';
import { openMonth } from './months.ts';
import type { OwnProcess } from './own-process.ts';
import { bodyOf, type Client, clientOf } from './platform.ts';
import { createUser } from './users.ts';

/** A bank with an open month, one document, and somebody who works there. */
export interface BusyBank {
  readonly bank: Bank;
  readonly documentId: number;
  readonly username: string;
  readonly client: Client;
}

/** Lines of the account that is read. */
const READ_LINES = 500;

export const BUSY_PASSWORD = 'uma senha bem comprida';

export async function busyBanks(program: OwnProcess, admin: Client, count: number): Promise<BusyBank[]> {
  const made: BusyBank[] = [];
  for (let each = 1; each <= count; each++) {
    const bank = await createBank(admin);
    await openMonth(admin, bank, '01/2026');
    const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
    const { id: batchId } = await bodyOf(admin.post('movements', '/batch', place));
    const { id: documentId } = await bodyOf(admin.post('movements', '/document', { batchId }));
    const rows = Array.from({ length: READ_LINES }, (_, at) => `9;${at + 1};5;D;1.1.2;2.1.2;1,00;Aporte ${at}`);
    const form = new FormData();
    const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';
    form.set('file', new Blob([[header, ...rows].join('\n')]), 'rows.csv');
    await bodyOf(admin.post('movements', `/batch/${batchId}/import`, form));
    const { username } = await createUser(admin, {
      username: `ocupado${bank.company}`,
      password: BUSY_PASSWORD,
      permissions: [{ company: bank.company }],
    });
    made.push({ bank, documentId, username, client: await signedIn(program, username) });
  }
  return made;
}

/** A client that has just signed in. */
export async function signedIn(program: OwnProcess, username: string): Promise<Client> {
  const address = (service: string) => program.address(service);
  const who = { username, password: BUSY_PASSWORD };
  const { accessToken } = await bodyOf(clientOf(address, '').post('authentication', '/api/auth/signin', who));
  return clientOf(address, accessToken);
}

/** Of each bank as many posted entries as readings: of the balance and the ledger of an account to which none is posted. */
export function mixedRequests(program: OwnProcess, banks: readonly BusyBank[]): LoadRequest[] {
  const portOf = (service: string) => Number(new URL(program.address(service)).port);
  const [movements, queries] = [portOf('movements'), portOf('queries')];
  return banks.flatMap(({ bank, documentId, client: { token } }): LoadRequest[] => {
    const { company, branch, accounts } = bank;
    const entry = {
      documentId,
      debcre: 'D',
      day: '05',
      contaId: accounts.get('1.1.1'),
      contrapartida: accounts.get('2.1.1'),
    };
    const post: LoadRequest = {
      ...{ port: movements, method: 'POST', path: '/entry', token },
      body: `${JSON.stringify(entry).slice(0, -1)},"lancamento":"@","valor":12.34,"historico":"Movimento"}`,
    };
    const read = { port: queries, method: 'POST', token } as const;
    const tenant = { empresa: company, filial: branch, contaId: accounts.get('1.1.2') };
    const months = { anomesini: '01/2026', anomesfim: '01/2026' };
    return [
      post,
      { ...read, path: '/balanceInquiryDetails', body: JSON.stringify({ ...tenant, ...months }) },
      post,
      { ...read, path: '/generalLedgerQuery', body: JSON.stringify({ ...tenant, year: 2026, month: 1 }) },
    ];
  });
}
