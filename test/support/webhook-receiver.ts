import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as a receiver sees it. */
export interface Received {
  readonly id: string;
  readonly signature: string;
  readonly timestamp: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  readonly event: any;
}

/** What the receiver does with a delivery: a status, a redirect to an address, or nothing until the sender gives up. */
export type Behaviour = (received: Received) => number | { readonly redirect: string } | 'HANG';

/** A server that takes deliveries on this machine. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  behave: Behaviour = () => 204;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  static async open(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** What was answered with 2xx is taken. */
  get types(): string[] {
    return this.received.map(({ event }) => event.type);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const header = (name: string) => String(request.headers[name]);
    const received = {
      id: header('webhook-id'),
      signature: header('webhook-signature'),
      timestamp: header('webhook-timestamp'),
      text,
      event: JSON.parse(text),
    };
    this.received.push(received);
    const answer = this.behave(received);
    if (answer === 'HANG') return;
    if (typeof answer === 'number') response.writeHead(answer).end('x'.repeat(100));
    else response.writeHead(302, { location: answer.redirect }).end();
  }
}

/** Standard Webhooks as a receiver checks it, by the Web Cryptography API. */
export async function isSignedWith(secret: string, { id, timestamp, text, signature }: Received): Promise<boolean> {
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (each) => each.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const each of signature.split(' ')) {
    const [version, code = ''] = each.split(',');
    const bytes = Uint8Array.from(atob(code), (one) => one.charCodeAt(0));
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}
