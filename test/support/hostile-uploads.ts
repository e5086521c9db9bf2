import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import type { ServiceName } from '../../src/platform/config.ts';
import type { Bank } from './banks.ts';
import type { Client, Platform } from './platform.ts';
import { heldBytes, usedBytes } from './thread-memory.ts';

// Uploads that are large, endless or hard to read, made piece by piece so that the sender needs no memory for them.

const MB = 1_048_576;

export interface HostileUpload {
  readonly name: string;
  readonly service: ServiceName;
  readonly path: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly body: () => Iterable<Buffer>;
  /** The statuses that it may be answered with. */
  readonly statuses: readonly number[];
}

/** What the platform must reject from a user who may import. */
export function hostileUploads(bank: Bank, batchId: number): HostileUpload[] {
  const json = (name: string, bytes: number, part: string, head = ''): HostileUpload => ({
    ...{ name, service: 'movements', path: '/importMovimentJson', contentType: 'application/json', bytes },
    ...{ body: () => repeated(head, part, bytes), statuses: [400] },
  });
  const csv = (name: string, path: string, bytes: number, part: string, statuses = [200, 400]): HostileUpload => ({
    ...{ name, service: path.startsWith('/batch') ? 'movements' : 'masterdata', path, bytes, statuses },
    contentType: 'multipart/form-data; boundary=b',
    body: () => repeated(FILE_PART, part, bytes),
  });
  const ipl = (name: string, bytes: number, part: string): HostileUpload => ({
    ...{ name, service: 'movements', path: `/importMoviment/${bank.company}/${bank.branch}/x.txt`, bytes },
    ...{ contentType: 'text/plain', body: () => repeated('', part, bytes), statuses: [400] },
  });
  const ecd = (name: string, bytes: number, part: string, head = ECD_HEAD): HostileUpload => ({
    ...{ name, service: 'reports', path: '/regulatory/check', bytes, statuses: [200] },
    contentType: 'multipart/form-data; boundary=b',
    body: () => repeated(FILE_PART, part, bytes, head),
  });
  const { company, branch } = bank;
  const head = `{"empresa":"${company}","filial":"${branch}","ano":2026,"mes":1,"documentos":[`;
  const chart = '/chartOfAccounts/import?chart=HOSTIL';
  return [
    json('100 MB of [', 100 * MB, '['),
    json('a text of 10 MB', 10 * MB, 'x', `${head}{"documento":"1","lancamentos":[{"historico":"`),
    json('a number of 10 MB', 10 * MB, '1', `${head}{"documento":"1","lancamentos":[{"valor":`),
    { ...json('tiny documents', 12 * MB, '', head), body: () => tinyDocuments(head, 12 * MB) },
    json('one document again and again', 12 * MB, '{"documento":"1","lancamentos":[]},', head),
    json('documents of other kinds', 12 * MB, '1,', head),
    json('lines of other kinds', 12 * MB, '1,', `${head}{"documento":"1","lancamentos":[`),
    json('fields without end', 12 * MB, '"x":[[[[1]]]],', '{'),
    json('blanks', 12 * MB, ' '),
    {
      ...json('60 MB that never say the branch', 60 * MB, ''),
      body: () => tinyDocuments('{"documentos":[', 60 * MB),
    },
    csv('a table of empty rows', chart, 12 * MB, ';\n'),
    csv('a table of one line', chart, 32 * MB, 'x'),
    csv('a table of one quoted text', chart, 12 * MB, '\n;', [200, 400]),
    csv('a table larger than tables may be', chart, 70 * MB, 'x', [413]),
    csv('movements in empty rows', `/batch/${batchId}/import`, 12 * MB, ';\n'),
    csv('movements in rows of quotes', `/batch/${batchId}/import`, 12 * MB, '"a";\n'),
    csv('zeros without end', `/batch/${batchId}/import`, 200 * MB, '\0', [400, 413]),
    ipl('a fixed-width file of one line', 32 * MB, 'x'),
    ipl('a fixed-width file of empty lines', 12 * MB, '\n'),
    ecd('a bookkeeping file of one line', 60 * MB, 'x'),
    ecd('a bookkeeping file of empty lines', 12 * MB, '\r\n'),
    ecd('a bookkeeping file of lines of a megabyte', 60 * MB, `|I250|1||1,00|D|||${'x'.repeat(MB)}||\r\n`),
    ecd('a bookkeeping file of one register', 60 * MB, '|I250|1||1,00|D|||NADA||\r\n'),
    ecd('a bookkeeping file of one account', 12 * MB, '|I050|01012025|01|A|4|1.1|1|CONTA|\r\n'),
    ecd('a bookkeeping file of registers that are none', 60 * MB, '|X|\r\n'),
  ];
}

const FILE_PART = '--b\r\ncontent-disposition: form-data; name="file"; filename="x.csv"\r\n\r\n';

const ECD_HEAD = '|0000|LECD|01012025|31122025|X|11222333000181|SP|||||0|0|0||0|0||N|N|0|0|1|\r\n|I010|G|9.00|\r\n';

function* repeated(head: string, part: string, bytes: number, begin = ''): Iterable<Buffer> {
  const piece = Buffer.from(part.repeat(Math.ceil(65_536 / part.length)));
  if (head + begin !== '') yield Buffer.from(head + begin);
  for (let sent = head.length; sent < bytes; sent += piece.length) yield piece;
  if (head === FILE_PART) yield Buffer.from('\r\n--b--\r\n');
}

/** Documents of different numbers, and no lines. */
export function* tinyDocuments(head: string, bytes: number): Iterable<Buffer> {
  yield Buffer.from(head);
  for (let sent = head.length, at = 0; sent < bytes; ) {
    let piece = '';
    while (piece.length < 65_536) piece += `{"documento":"${++at}","lancamentos":[]},`;
    yield Buffer.from(piece);
    sent += piece.length;
  }
}

export interface Sent {
  /** undefined: the connection ended without a response. */
  readonly status: number | undefined;
  readonly text: string;
  /** Bytes that the sender got rid of before the response. */
  readonly bytes: number;
  readonly connection: string | undefined;
}

/** Sends the body as fast as the service takes it; stops when it answers, or after so many bytes, as a client that goes away. */
export function sendUpload(
  platform: Pick<Platform, 'address'>,
  client: Pick<Client, 'token'>,
  upload: Pick<HostileUpload, 'service' | 'path' | 'contentType' | 'body'>,
  abortAfter = Number.POSITIVE_INFINITY,
): Promise<Sent> {
  return new Promise((resolve) => {
    let bytes = 0;
    let isAnswered = false;
    const outgoing = request(`${platform.address(upload.service)}${upload.path}`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${client.token}`, 'content-type': upload.contentType },
    });
    const without = () => isAnswered || resolve({ status: undefined, text: '', bytes, connection: undefined });
    outgoing.on('error', without);
    outgoing.on('close', without);
    outgoing.on('response', (answer) => {
      isAnswered = true;
      let text = '';
      const done = () => {
        resolve({ status: answer.statusCode, text, bytes, connection: answer.headers.connection });
        outgoing.destroy();
      };
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', done).on('error', done);
    });
    void (async () => {
      for (const piece of upload.body()) {
        if (isAnswered || outgoing.destroyed) return;
        if (bytes >= abortAfter) return void outgoing.destroy();
        bytes += piece.length;
        if (!outgoing.write(piece)) await drained(outgoing);
        else await new Promise(setImmediate);
      }
      outgoing.end();
    })();
  });
}

function drained(outgoing: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      for (const event of ['drain', 'close', 'response']) outgoing.off(event, go);
      resolve();
    };
    for (const event of ['drain', 'close', 'response']) outgoing.on(event, go);
  });
}

export interface Strain {
  /** Bytes of this thread beyond those before. */
  readonly memory: number;
  /** Longest that this thread computed without giving others their turn, in milliseconds of processor. */
  readonly longestTurnMs: number;
}

/** What the work costs the process that it runs in. Processor time, not the clock: a busy machine changes nothing. */
export async function strainOf<Result>(work: () => Promise<Result>): Promise<Strain & { result: Result }> {
  const before = heldBytes();
  let peak = before;
  let longest = 0;
  let isDone = false;
  const watch = async () => {
    for (let last = spent(); !isDone; ) {
      await new Promise(setImmediate);
      const now = spent();
      longest = Math.max(longest, now - last);
      last = now;
      peak = Math.max(peak, usedBytes());
    }
  };
  const watching = watch();
  try {
    const result = await work();
    return { memory: peak - before, longestTurnMs: longest, result };
  } finally {
    isDone = true;
    await watching;
  }
}

function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Spooled uploads that are on disk now. */
export function spooledUploads(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('partidas-import-'));
}
