import { connect, type Socket } from 'node:net';
import type { Installation } from './installation.ts';

/** Requests over bare connections: what a client costs is taken from the program and PostgreSQL, on the same cores. */
export interface BareClient {
  /** How many requests a second are answered with 200, each connection sending the next when it has the answer. */
  rate(requests: readonly Buffer[], milliseconds: number): Promise<number>;
  /** The body of the last answer, on one connection, and the milliseconds that it took. */
  once(request: Buffer): Promise<{ body: string; milliseconds: number }>;
}

export function requestOf(token: string, path: string, body: unknown): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

export const HEALTH = Buffer.from('GET /actuator/health HTTP/1.1\r\nhost: bench\r\n\r\n');

/** Connections to one service, closed by the caller of `withBareClient`. */
export async function withBareClient<T>(
  installation: Installation,
  connections: number,
  work: (client: BareClient) => Promise<T>,
): Promise<T> {
  const { hostname, port } = new URL(installation.address('queries'));
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  );
  try {
    return await work({
      rate: async (requests, milliseconds) => {
        const began = performance.now();
        let turn = 0;
        await Promise.all(
          sockets.map(async (socket) => {
            while (performance.now() - began < milliseconds)
              await answerTo(socket, requests[turn++ % requests.length]!);
          }),
        );
        return (turn * 1000) / (performance.now() - began);
      },
      once: async (request) => {
        const began = performance.now();
        const body = await answerTo(sockets[0]!, request);
        return { body: body.toString(), milliseconds: performance.now() - began };
      },
    });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Sends a request and reads its answer whole, by the length that the head says. */
function answerTo(socket: Socket, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let missing = Number.POSITIVE_INFINITY;
    const end = () => {
      socket.off('data', onData);
      socket.off('error', reject);
    };
    const onData = (chunk: Buffer) => {
      if (chunks.length === 0) {
        const headEnd = chunk.indexOf('\r\n\r\n') + 4;
        const head = chunk.toString('latin1', 0, headEnd);
        const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
          end();
          reject(new Error(chunk.toString().slice(0, 600)));
          return;
        }
        missing = Number(length);
        chunk = chunk.subarray(headEnd);
      }
      chunks.push(chunk);
      missing -= chunk.length;
      if (missing > 0) return;
      end();
      resolve(Buffer.concat(chunks));
    };
    socket.on('data', onData);
    socket.on('error', reject);
    socket.write(request);
  });
}
