import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

const WELL_FORMED = /^[\w.:-]{1,100}$/;

/** The request id: the one of a trusted proxy, which is also in its log, else a new one. */
export function requestIdOf(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = listOf(trustedProxies);
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const isGiven = typeof given === 'string' && WELL_FORMED.test(given);
    return isGiven && trusted.check(socket.remoteAddress ?? '', familyOf(socket.remoteAddress)) ? given : randomUUID();
  };
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

function familyOf(address: string | undefined): 'ipv4' | 'ipv6' {
  return isIPv6(address ?? '') ? 'ipv6' : 'ipv4';
}
