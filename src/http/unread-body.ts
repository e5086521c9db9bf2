import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The rest of a body up to this size is read and discarded, which costs less than a new connection. */
const MAX_DISCARDED = 65_536;

/** How long a client has to read its response before the connection with its unread body is cut. */
const LINGER_MS = 1_000;

/**
 * A request that is answered before its body was read (rejected, too large) ends its connection: the rest of the body
 * is not taken from the network. The response goes out first, and the client is given time to read it.
 */
export function closeAfterUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    closeAfterUnreadBody(raw, (name, value) => reply.header(name, value));
    done();
  });
}

/** The same for one answer, before its head is written. */
export function closeAfterUnreadBody(
  request: IncomingMessage,
  setHeader: (name: 'connection', value: 'close') => void,
): void {
  if (request.complete || !hasBody(request)) return;
  if (isBodyDiscarded(request)) request.resume();
  else {
    setHeader('connection', 'close');
    lingerBeforeClose(request);
  }
}

/** Whether there is no body, or one so small that the connection goes on after it. */
export function isBodyDiscarded(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return length === undefined ? !hasBody(request) : Number(length) <= MAX_DISCARDED;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** If it were closed at once, the kernel would reset the connection and the client might never see the response. */
function lingerBeforeClose({ socket }: IncomingMessage): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** How long a body that is being read may stall, in milliseconds. */
const MAX_SILENCE_MS = 30_000;

/** A stalled body would keep its connection, its temporary file and its place for the ten minutes of a request. */
export function cutSilentBodies(app: FastifyInstance, silenceMs = MAX_SILENCE_MS): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (!raw.complete && hasBody(raw)) cutWhenSilent(raw, silenceMs);
    done();
  });
}

function cutWhenSilent(request: IncomingMessage, silenceMs: number): void {
  const { socket } = request;
  const onSilence = () => {
    // Bytes that have arrived but are not read yet wait for the program, not for the client.
    if (request.readableLength > 0) return;
    request.destroy(Object.assign(new Error('the body stopped coming'), { code: 'ECONNRESET' }));
  };
  const timer = setInterval(() => {
    if (request.complete || request.destroyed) clearInterval(timer);
    else if (socket.bytesRead === heard) onSilence();
    heard = socket.bytesRead;
  }, silenceMs).unref();
  let heard = socket.bytesRead;
  request.once('close', () => clearInterval(timer));
}
