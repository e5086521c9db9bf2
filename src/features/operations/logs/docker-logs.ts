import { Client } from 'undici';
import { problem, RetryLater } from '../../../accounting/problem.ts';

/** A container says by this label whose log it holds; Compose's own label serves where it is absent. */
const LABELS = ['partidas.service', 'com.docker.compose.service'] as const;

const TIMEOUT_MS = 4_000;
const MAX_BYTES = 16 * 1024 * 1024;

interface Container {
  readonly Id: string;
  readonly Created: number;
  readonly Labels?: Readonly<Record<string, string>> | null;
}

/** The last lines of the newest container labelled with the service; none when there is no such container. */
export async function tailOfContainers(socket: string, service: string, lines: number): Promise<string[]> {
  return withDockerSocket(socket, async (get) => {
    const [container] = (await containers(get))
      .filter((each) => serviceOf(each) === service)
      .sort((a, b) => b.Created - a.Created);
    if (!container) return [];
    const { Config } = JSON.parse((await get(`/containers/${container.Id}/json`)).toString()) as {
      Config?: { Tty?: boolean };
    };
    const log = await get(`/containers/${container.Id}/logs?stdout=1&stderr=1&tail=${lines}`);
    const text = (Config?.Tty ? log : withoutFrames(log)).toString('utf8');
    const all = text.split(/\r?\n/);
    if (all.at(-1) === '') all.pop();
    return all.slice(-lines);
  });
}

/** Services that running or stopped containers are labelled with. */
export function containerServices(socket: string): Promise<string[]> {
  return withDockerSocket(socket, async (get) => [
    ...new Set((await containers(get)).flatMap((each) => serviceOf(each) ?? [])),
  ]);
}

type Get = (path: string) => Promise<Buffer>;

/** Only GET requests to the engine's API exist here. */
async function withDockerSocket<T>(socket: string, ask: (get: Get) => Promise<T>): Promise<T> {
  const client = new Client('http://docker', { socketPath: socket });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await ask(async (path) => {
      const { statusCode, body } = await client.request({ method: 'GET', path, signal });
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > MAX_BYTES) throw new Error('the container engine answered too much');
        chunks.push(chunk);
      }
      if (statusCode !== 200) throw new Error(`the container engine answered ${statusCode}`);
      return Buffer.concat(chunks);
    });
  } catch {
    throw new RetryLater(problem('LOGS_UNAVAILABLE'), 5);
  } finally {
    await client.destroy();
  }
}

async function containers(get: Get): Promise<Container[]> {
  const all = JSON.parse((await get('/containers/json?all=1')).toString()) as Container[];
  return all.filter((each) => /^[0-9a-f]{12,64}$/.test(each.Id));
}

function serviceOf(container: Container): string | undefined {
  for (const label of LABELS) {
    const value = container.Labels?.[label];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Without a terminal the engine interleaves both outputs in frames: stream, three zeros, length as 32 bits, bytes. */
function withoutFrames(log: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at + 8 <= log.length) {
    const length = log.readUInt32BE(at + 4);
    parts.push(log.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return Buffer.concat(parts);
}
