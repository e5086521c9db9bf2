import { type LookupAddress, lookup } from 'node:dns';
import { type ClientRequest, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Which addresses may be posted to beside public ones by https. */
export interface AllowedAddresses {
  readonly privateNetworks: boolean;
  readonly plainHttp: boolean;
}

/** Why nothing came back: no status says it. */
export type PostFailure = 'PRIVATE_ADDRESS' | 'UNKNOWN_HOST' | 'TIMEOUT' | 'UNREACHABLE';

/** Bytes of an answer that are read before it is cut: only its status counts. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Networks that are nobody's in public: of this machine, of private networks, of tests, of multicast, and ways into them. */
const NOT_PUBLIC = blockListOf(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4'],
  ...['240.0.0.0/4', '::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/32'],
  ...['2001:db8::/32', '2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
);

function blockListOf(...networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string];
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

export function isPublicAddress(address: string): boolean {
  return !NOT_PUBLIC.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether the host is written as an address that may not be posted to; a name is looked up when it is posted to. */
export function isForbiddenHost(url: URL, { privateNetworks }: AllowedAddresses): boolean {
  const host = hostOf(url);
  return !privateNetworks && (host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host)));
}

/**
 * Posts to an address that others have named, and answers the status. The name is looked up once, and the connection goes
 * to an address that was looked at: a name that changes meanwhile leads nowhere else. Redirects are answers like others.
 */
export function postToAddress(
  url: URL,
  {
    headers,
    body,
    timeoutMs,
    allowed,
    signal,
  }: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly timeoutMs: number;
    readonly allowed: AllowedAddresses;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly status: number } | { readonly failure: PostFailure }> {
  if (isForbiddenHost(url, allowed)) return Promise.resolve({ failure: 'PRIVATE_ADDRESS' });
  if (url.protocol !== 'https:' && !allowed.plainHttp) return Promise.resolve({ failure: 'UNREACHABLE' });
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? secureRequest : plainRequest;
    const length = String(Buffer.byteLength(body));
    const time = AbortSignal.timeout(timeoutMs);
    const sent: ClientRequest = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': length },
      agent: false,
      lookup: allowed.privateNetworks ? lookup : publicLookup,
      signal: AbortSignal.any([time, signal]),
    });
    sent.on('response', (response) => {
      let bytes = 0;
      const end = () => {
        resolve({ status: response.statusCode ?? 0 });
        sent.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) end();
      });
      response.on('end', end);
      response.on('error', () => resolve({ failure: time.aborted ? 'TIMEOUT' : 'UNREACHABLE' }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ failure: time.aborted ? 'TIMEOUT' : failureOf(error) }),
    );
    sent.end(body);
  });
}

const PRIVATE = 'ERR_PRIVATE_ADDRESS';

/** The public ones of a name's addresses; a name that has none fails. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0);
    const open = found.filter(({ address }) => isPublicAddress(address)) as [LookupAddress, ...LookupAddress[]];
    if (open.length === 0) return callback(Object.assign(new Error('no public address'), { code: PRIVATE }), '', 0);
    return options.all ? callback(null, open) : callback(null, open[0].address, open[0].family);
  });
};

function failureOf({ code }: NodeJS.ErrnoException): PostFailure {
  if (code === PRIVATE) return 'PRIVATE_ADDRESS';
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'UNKNOWN_HOST' : 'UNREACHABLE';
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}
