import ipaddr from 'ipaddr.js';
import { type core, z } from 'zod';

// Where a request comes from. Behind proxies the socket's address is the proxy's own, and the client's stands in X-Forwarded-For, to which every
// hop appends the address it was called from. Only what trusted hops appended counts, so the list is read from the right.

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [address: Address, bits: number];

/** Which hops in front of the service are trusted: that many from the right, or those of these networks. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: readonly Network[] };

/** Parses an address; IPv4 inside IPv6 reads as IPv4. Null for what is no address in its usual form. */
function parse(text: string): Address | null {
  const isUsual = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isUsual ? ipaddr.process(text) : null;
}

/** The address of an entry of X-Forwarded-For, without the port and the brackets some proxies write. */
function parseEntry(entry: string): Address | null {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/.exec(entry) ?? [];
  return parse(bracketed ?? withPort ?? entry);
}

function parseNetwork(text: string): Network | null {
  if (ipaddr.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text);
    return [address, bits];
  }
  const address = parse(text);
  return address === null ? null : [address, address.kind() === 'ipv4' ? 32 : 128];
}

const contains = ([network, bits]: Network, address: Address): boolean =>
  network.kind() === address.kind() && address.match(network as never, bits);

/** Reads the setting TRUSTED_PROXIES: a number of hops, or addresses and networks in CIDR notation, separated by commas. Empty trusts nobody. */
export function readTrustedProxies(text: string, ctx: Pick<core.$RefinementCtx, 'addIssue'>): TrustedProxies {
  if (/^\d{1,2}$/.test(text.trim())) return { hops: Number(text) };
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const networks = parts.map(parseNetwork);
  if (networks.includes(null)) {
    ctx.addIssue({
      code: 'custom',
      message: 'must be a number of hops up to 99, or addresses and networks such as 10.0.0.0/8',
    });
    return z.NEVER;
  }
  return { networks: networks.filter((network) => network !== null) };
}

/** True for an address or a host name that only this machine can call. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  return parse(host.replace(/^\[|\]$/g, ''))?.range() === 'loopback';
}

/**
 * The address a request comes from: that of its socket, or, where that is a trusted proxy, the entry of X-Forwarded-For that the last trusted hop
 * appended. An entry that is no address ends the search at the hop before it. IPv4 inside IPv6 is written as IPv4.
 */
export function clientAddress(
  trusted: TrustedProxies,
  socketAddress: string,
  forwardedFor: string | null,
): string {
  const socket = parse(socketAddress);
  if (socket === null) return socketAddress;
  const entries =
    forwardedFor === null ? [] : forwardedFor.split(',').map((entry) => parseEntry(entry.trim()));
  let client = socket;
  for (let hop = 0; hop < entries.length; hop++) {
    const isTrusted =
      'hops' in trusted ? hop < trusted.hops : trusted.networks.some((network) => contains(network, client));
    const next = entries.at(-1 - hop) ?? null;
    if (!isTrusted || next === null) break;
    client = next;
  }
  return client.toString();
}
