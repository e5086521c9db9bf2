import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadOrder, LoadReport, LoadRequest } from './load.ts';

// A process of its own: what the tester or the program waits for does not slow the arrivals. Its connections are opened
// before and kept, as those of a proxy; an arrival that finds all of them busy waits for one, and this waiting counts.

const HEAD_END = '\r\n\r\n';
const TICK_MS = 2;
/** For those that are being opened again. */
const SPARE = 64;

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Answered = (answer: Answer | undefined) => void;

/** Keep-alive connections to one port, with one request at a time on each; one that breaks is opened again. */
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
    this.sendOn(this.idle.pop()!, text, answered);
  }

  private async connected(): Promise<Socket> {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    return socket;
  }

  private sendOn(socket: Socket, text: string, answered: Answered): void {
    let received = '';
    const end = (answer: Answer | undefined) => {
      socket.off('data', onData).off('close', onClose);
      if (answer !== undefined) this.idle.push(socket);
      else void this.connected().then((next) => this.idle.push(next));
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

class Generator {
  private readonly pools = new Map<number, Pool>();
  private readonly order: LoadOrder;
  /** Arrivals that wait for a connection, in their order. */
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;
  private turn = 0;
  readonly report: LoadReport = {
    ...{ sent: 0, good: 0, late: 0, refused: 0, withoutRetryAfter: 0, broken: 0, milliseconds: 0 },
    others: [],
    latencies: [],
    perSecond: [],
  };

  constructor(order: LoadOrder) {
    this.order = order;
  }

  async open(): Promise<void> {
    const ports = new Set(this.order.requests.map(({ port }) => port));
    for (const port of ports) this.pools.set(port, await Pool.of(port, this.order.connections + SPARE));
  }

  async atRate(rate: number): Promise<void> {
    const began = performance.now();
    for (;;) {
      const elapsed = performance.now() - began;
      if (elapsed >= this.order.milliseconds) break;
      while (this.report.sent < (rate * elapsed) / 1_000) void this.ask(began);
      await sleep(TICK_MS);
    }
    this.report.milliseconds = performance.now() - began;
    const patience = performance.now() + this.order.patienceMs;
    while (this.underWay > 0 && performance.now() < patience) await sleep(10);
    // Whoever has no answer by now waits for nothing.
    this.report.broken += this.underWay + this.waiting.length;
  }

  async atOnce(clients: number): Promise<void> {
    const began = performance.now();
    const work = async () => {
      while (performance.now() - began < this.order.milliseconds) await this.ask(began);
    };
    await Promise.all(Array.from({ length: clients }, work));
    this.report.milliseconds = performance.now() - began;
  }

  private ask(began: number): Promise<void> {
    const { requests } = this.order;
    const request = requests[this.turn++ % requests.length]!;
    const text = textOf(request, numberOf(this.turn));
    const arrivedAt = performance.now();
    this.report.sent++;
    return new Promise((resolve) => {
      const send = () => {
        this.underWay++;
        this.pools.get(request.port)!.send(text, (answer) => {
          this.underWay--;
          this.count(answer, performance.now() - arrivedAt, Math.floor((performance.now() - began) / 1_000));
          resolve();
          this.waiting.shift()?.();
        });
      };
      if (this.underWay < this.order.connections) send();
      else this.waiting.push(send);
    });
  }

  private count(answer: Answer | undefined, ms: number, second: number): void {
    const { report } = this;
    if (answer === undefined) report.broken++;
    else if (answer.status === 200 || answer.status === 201) {
      if (ms <= this.order.goodWithinMs) report.good++;
      else report.late++;
      report.latencies.push(ms);
      report.perSecond[second] = (report.perSecond[second] ?? 0) + 1;
    } else if (answer.status === 429 || answer.status === 503) {
      report.refused++;
      if (!/\r\nretry-after: /i.test(answer.text)) report.withoutRetryAfter++;
    } else report.others.push(answer.text.slice(answer.text.indexOf(HEAD_END) + HEAD_END.length));
  }
}

/** Another one in every process: ten characters, as the number of an entry may have. */
function numberOf(turn: number): string {
  return process.pid.toString(36) + turn.toString(36).padStart(5, '0');
}

/** The body with numbers of its own in the place of @. */
function textOf({ method, path, token, body }: LoadRequest, number: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: load\r\nauthorization: Bearer ${token}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const sent = body.replaceAll('@', number);
  return `${head}content-type: application/json\r\ncontent-length: ${sent.length}\r\n\r\n${sent}`;
}

process.on('message', async (order: LoadOrder) => {
  const generator = new Generator(order);
  await generator.open();
  await ('rate' in order.pace ? generator.atRate(order.pace.rate) : generator.atOnce(order.pace.clients));
  process.send!(generator.report);
});
