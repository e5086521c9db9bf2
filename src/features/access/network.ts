import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

/** No address is longer; other text from a proxy is cut. */
const MAX_LENGTH = 64;

/** One sender: an IPv4 address, or an IPv6 network of 64 bits, because whoever has one of its addresses has all. */
export function senderOf(address: string): string {
  const plain = address
    .slice(0, MAX_LENGTH)
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .split('%', 1)[0]!;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill('0'), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** The neighbourhood that a user usually signs in from: 24 bits of an IPv4 address, 64 of an IPv6 one. */
export function networkOf(address: string): string {
  const sender = senderOf(address);
  return isIPv4(sender) ? sender.replace(/\d{1,3}$/, '0/24') : sender;
}

/** Compiled once: the lists of an account are read every few seconds, and looked at with each request. */
const lists = new LRUCache<string, BlockList>({ max: 1_000 });

/** Whether an address is in one of the CIDR networks; no networks hold every address. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIPv4(plain) ? 'ipv4' : isIPv6(plain) ? 'ipv6' : undefined;
  if (family === undefined) return false;
  const key = networks.join(' ');
  const list = lists.get(key) ?? listOf(networks);
  lists.set(key, list);
  return list.check(plain, family);
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of networks) {
    const [base = '', bits] = each.split('/');
    list.addSubnet(base, Number(bits), isIPv4(base) ? 'ipv4' : 'ipv6');
  }
  return list;
}
