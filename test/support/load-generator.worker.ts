import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadOrder, LoadReport, LoadRequest } from './load.ts';

// A process of its own: what the tester or the program waits for does not slow the arrivals. It has to be cheap, as it
// runs on the processors of the program that it measures: requests are put together beforehand, connections are opened
// before and kept, as those of a proxy, and it sleeps between its ticks, where each answer would wake it.

const HEAD_END = '\r\n\r\n';
const TICK_MS = 4;
/** Digits of the number that each request has of its own. */
const DIGITS = 10;

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Answered = (answer: Answer | undefined) => void;

/** Keep-alive connections to one port, with one request at a time on each; another is opened where none is idle. */
class Pool {
  private readonly port: number;
  private readonly idle: Socket[] = [];

  private constructor(port: number) {
    this.port = port;
  }

  static async of(port: number, count: number): Promise<Pool> {
    const pool = new Pool(port);
    // One after the other: a server takes so many new ones at once and no more.
    for (let each = 0; each < count; each++) pool.idle.push(await pool.connected());
    return pool;
  }

  send(text: string, answered: Answered): void {
    // In turn: a server closes what was silent for long, perhaps at the moment when it is used again.
    let socket = this.idle.shift();
    while (socket?.destroyed) socket = this.idle.shift();
    if (socket === undefined) void this.connected().then((next) => this.sendOn(next, text, answered));
    else this.sendOn(socket, text, answered);
  }

  private async connected(): Promise<Socket> {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    // Nobody asked: the server has given the connection up.
    socket.on('data', () => socket.listenerCount('data') === 1 && socket.destroy());
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    return socket;
  }

  private sendOn(socket: Socket, text: string, answered: Answered): void {
    let received = '';
    const end = (answer: Answer | undefined) => {
      socket.off('data', onData).off('close', onClose);
      if (answer !== undefined) this.idle.push(socket);
      answered(answer);
    };
    const onClose = () => end(undefined);
    const onData = (chunk: string) => {
      received += chunk;
      const head = received.indexOf(HEAD_END);
      if (head < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < head + HEAD_END.length + length) return;
      end({ status: Number(received.slice(9, 12)), text: received });
    };
    socket.on('data', onData).on('close', onClose);
    if (socket.destroyed) onClose();
    else socket.write(text, 'latin1');
  }
}

/** What is sent, but for its number. */
interface Prepared {
  readonly port: number;
  readonly parts: readonly string[];
}

interface Arrival {
  readonly dueAt: number;
  readonly answered?: () => void;
}

class Generator {
  private readonly pools: ReadonlyMap<number, Pool>;
  private readonly requests: readonly Prepared[];
  private readonly connections: number;
  /** Arrivals that wait for a connection, in their order, from `next` on. */
  private waiting: Arrival[] = [];
  private next = 0;
  private underWay = 0;
  private turn = 0;
  private goodWithinMs = Number.POSITIVE_INFINITY;
  private report = newReport();

  private constructor(pools: ReadonlyMap<number, Pool>, requests: readonly LoadRequest[], connections: number) {
    this.pools = pools;
    this.requests = requests.map(prepared);
    this.connections = connections;
  }

  static async open(requests: readonly LoadRequest[], connections: number): Promise<Generator> {
    const pools = new Map<number, Pool>();
    const ports = new Set(requests.map(({ port }) => port));
    for (const port of ports) pools.set(port, await Pool.of(port, connections));
    return new Generator(pools, requests, connections);
  }

  async run({ pace, milliseconds, goodWithinMs, patienceMs }: LoadOrder): Promise<LoadReport> {
    const report = newReport();
    this.report = report;
    this.goodWithinMs = goodWithinMs ?? Number.POSITIVE_INFINITY;
    const began = performance.now();
    const isOn = () => performance.now() - began < milliseconds;
    if ('clients' in pace) for (let each = 0; each < pace.clients; each++) this.again(isOn);
    while (isOn()) {
      if ('rate' in pace) {
        const due = Math.floor((pace.rate * (performance.now() - began)) / 1_000);
        while (report.sent < due) this.arrive({ dueAt: began + (report.sent * 1_000) / pace.rate });
      }
      await slept();
    }
    const patience = performance.now() + patienceMs;
    while (this.unanswered > 0 && performance.now() < patience) await slept();
    // Whoever has no answer by now waits for nothing.
    report.broken += this.unanswered;
    report.milliseconds = performance.now() - began;
    this.waiting = [];
    this.next = 0;
    this.report = newReport();
    return report;
  }

  /** A client that sends the next request when it has the answer. */
  private again(isOn: () => boolean): void {
    if (isOn()) this.arrive({ dueAt: performance.now(), answered: () => this.again(isOn) });
  }

  private get unanswered(): number {
    return this.underWay + this.waiting.length - this.next;
  }

  private arrive(arrival: Arrival): void {
    this.report.sent++;
    if (this.underWay < this.connections) this.send(arrival);
    else this.waiting.push(arrival);
  }

  private send({ dueAt, answered }: Arrival): void {
    const { port, parts } = this.requests[this.turn++ % this.requests.length]!;
    this.underWay++;
    const { report } = this;
    this.pools.get(port)!.send(parts.join(numberOf(this.turn)), (answer) => {
      this.underWay--;
      this.count(report, answer, performance.now() - dueAt);
      answered?.();
      const waiting = this.waiting[this.next];
      if (waiting === undefined) return;
      this.next++;
      this.send(waiting);
    });
  }

  private count(report: LoadReport, answer: Answer | undefined, ms: number): void {
    if (answer === undefined) report.broken++;
    else if (answer.status === 200 || answer.status === 201) {
      if (ms <= this.goodWithinMs) report.good++;
      else report.late++;
      report.latencies.push(ms);
    } else if (answer.status === 429 || answer.status === 503) {
      report.refused++;
      if (!/\r\nretry-after: /i.test(answer.text)) report.withoutRetryAfter++;
    } else report.others.push(answer.text.slice(answer.text.indexOf(HEAD_END) + HEAD_END.length));
  }
}

function newReport(): LoadReport {
  return {
    ...{ sent: 0, good: 0, late: 0, refused: 0, withoutRetryAfter: 0, broken: 0, milliseconds: 0 },
    ...{ others: [], latencies: [] },
  };
}

/** Sleeps for a tick, and then takes whatever has come. */
function slept(): Promise<void> {
  Atomics.wait(SLEEPER, 0, 0, TICK_MS);
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
const SLEEPER = new Int32Array(new SharedArrayBuffer(4));

/** Another one in every process, as the number of an entry may be. */
function numberOf(turn: number): string {
  return (process.pid.toString(36) + turn.toString(36).padStart(5, '0')).padStart(DIGITS, '0');
}

/** The text around the places of the number. */
function prepared({ port, method, path, token, body }: LoadRequest): Prepared {
  const head = `${method} ${path} HTTP/1.1\r\nhost: load\r\nauthorization: Bearer ${token}\r\n`;
  if (body === undefined) return { port, parts: [`${head}\r\n`] };
  const parts = body.split('@');
  const length = body.length + (parts.length - 1) * (DIGITS - 1);
  const [first = '', ...rest] = parts;
  return {
    port,
    parts: [`${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${first}`, ...rest],
  };
}

let generator: Generator | undefined;
process.on('message', async (message: LoadOrder | { requests: readonly LoadRequest[]; connections: number }) => {
  if ('requests' in message) {
    generator = await Generator.open(message.requests, message.connections);
    process.send!('open');
  } else process.send!(await generator!.run(message));
});
// The tester is gone.
process.on('disconnect', () => process.exit());
