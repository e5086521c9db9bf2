import { isIPv4, isIPv6 } from 'node:net';

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
