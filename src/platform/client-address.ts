import ipaddr from 'ipaddr.js';
import { type core, z } from 'zod';

// Determines the client address of a request that passed through proxies. Each proxy appends the address of its client to `X-Forwarded-For`. Only
// entries of trusted proxies are reliable, so the header is read from right to left.

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [address: Address, bits: number];

/** Trusted proxies: the number of hops between the client and the process, or the networks of the proxies. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: readonly Network[] };

/** Parses an IP address. Converts IPv4-mapped addresses to IPv4. `null` if the string isn't an address in standard notation. */
function parse(text: string): Address | null {
  const isUsual = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isUsual ? ipaddr.process(text) : null;
}

/** Parses an entry of `X-Forwarded-For`. Ignores ports and brackets, which some proxies add. */
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

/**
 * Parses the setting TRUSTED_PROXIES: a number of hops, or comma-separated addresses and networks in CIDR notation. An
 * empty string means that no proxy is trusted.
 */
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
      message:
        'must be a number of hops from 0 to 99, or a comma-separated list of addresses and networks, such as 10.0.0.0/8',
    });
    return z.NEVER;
  }
  return { networks: networks.filter((network) => network !== null) };
}

/** True for addresses and host names that are only reachable from the same machine. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  return parse(host.replace(/^\[|\]$/g, ''))?.range() === 'loopback';
}

/**
 * Returns the client address of a request. If the socket's address is a trusted proxy, returns the entry of `X-Forwarded-For` that the outermost
 * trusted proxy added. Stops at an invalid entry and returns the previous hop. IPv4-mapped addresses are returned as IPv4.
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
