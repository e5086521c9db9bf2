import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * A keep-alive connection that sends one request and reads its answer, and does nothing else: on shared cores, what the
 * client costs is missing from the program that it measures. It understands answers with a Content-Length.
 */
export interface BareHttp {
  /** The answer's body; throws where the status is another. */
  ask(request: BareRequest): Promise<string>;
  close(): void;
}

export interface BareRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly expected: number;
}

export async function bareHttp(address: string, count: number): Promise<BareHttp[]> {
  const { hostname, port } = new URL(address);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return overSocket(socket);
    }),
  );
}

const HEAD_END = '\r\n\r\n';

function overSocket(socket: Socket): BareHttp {
  let received = '';
  let waiting: { resolve: (answer: string) => void; reject: (error: Error) => void } | undefined;
  const fail = (error: Error) => waiting?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  // One character a byte, so that lengths are those of the header.
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    const head = received.indexOf(HEAD_END);
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < head + HEAD_END.length + length) return;
    const answer = received;
    received = '';
    waiting?.resolve(answer);
  });
  return {
    async ask({ method, path, token, body, expected }) {
      const sent = body === undefined ? '' : JSON.stringify(body);
      const answered = new Promise<string>((resolve, reject) => {
        waiting = { resolve, reject };
      });
      socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: bench\r\n` +
          (token === undefined ? '' : `authorization: Bearer ${token}\r\n`) +
          `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(sent)}\r\n\r\n${sent}`,
      );
      const answer = await answered;
      if (answer.slice(9, 12) !== String(expected)) throw new Error(`${path}: ${answer.slice(0, 600)}`);
      return answer.slice(answer.indexOf(HEAD_END) + HEAD_END.length);
    },
    close: () => socket.destroy(),
  };
}
