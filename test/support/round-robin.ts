import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** How a request came through. */
export interface Passed {
  /** What nobody took was sent to the next process, and so was what may be repeated. */
  repeated: number;
  /** Answered with 502: the process went away with it, and nobody knows what it did. */
  lost: number;
}

export interface RoundRobinOptions {
  /** Where the processes have the service; those that are down, too. */
  readonly targets: () => readonly string[];
  /** What no proxy may do: a request whose process went away is repeated, whatever it asks for. */
  readonly repeatsAll?: boolean;
  /** The process has answered, but nobody hears of it: as if it had been killed after its commit. */
  readonly losesAnswer?: (request: IncomingMessage) => boolean;
}

/**
 * A proxy that hands each request to the next process. It repeats what no process has begun, what only reads, and what
 * has an Idempotency-Key; everything else that a process went away with is answered with 502.
 */
export class RoundRobin {
  readonly passed: Passed = { repeated: 0, lost: 0 };
  private readonly options: RoundRobinOptions;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;
  private turn = 0;

  private constructor(options: RoundRobinOptions) {
    this.options = options;
    this.server = createServer((from, to) => void this.pass(from, to).catch(() => to.destroy()));
  }

  static async open(options: RoundRobinOptions): Promise<RoundRobin> {
    const proxy = new RoundRobin(options);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.agent.destroy();
  }

  private async pass(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const body = await buffer(from);
    const targets = this.options.targets();
    const first = this.turn++;
    const isRepeatable = mayRepeat(from) || this.options.repeatsAll === true;
    for (let attempt = 0; attempt < targets.length; attempt++) {
      if (attempt > 0) this.passed.repeated++;
      const answer = await this.ask(targets[(first + attempt) % targets.length]!, from, body);
      if (!(answer instanceof Error)) return hand(answer, to);
      if (!isRepeatable && (answer as { code?: string }).code !== 'ECONNREFUSED') break;
    }
    this.passed.lost++;
    to.writeHead(502).end();
  }

  /** The head of the answer; what went wrong where there is none. */
  private async ask(target: string, from: IncomingMessage, body: Buffer): Promise<IncomingMessage | Error> {
    const asked = request(`${target}${from.url}`, { method: from.method, headers: from.headers, agent: this.agent });
    try {
      asked.end(body);
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      if (!this.options.losesAnswer?.(from)) return answer;
      answer.destroy();
      return new Error('the answer was lost');
    } catch (error) {
      return error as Error;
    }
  }
}

function mayRepeat({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD' || headers['idempotency-key'] !== undefined;
}

/** An answer that breaks off in its middle breaks off at the client, too. */
function hand(answer: IncomingMessage, to: ServerResponse): void {
  to.writeHead(answer.statusCode!, answer.headers);
  to.flushHeaders();
  answer.pipe(to);
  answer.on('error', () => to.destroy());
  to.on('close', () => answer.destroy());
}
