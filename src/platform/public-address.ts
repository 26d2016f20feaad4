import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

// Protection against requests to internal addresses (SSRF). Each connection resolves its host once and uses a checked address, so a DNS change
// between check and connection has no effect.

/** Error for a host without addresses or with a non-public address. The message is appended to a field's name. */
export class UnreachableHost extends Error {
  override name = 'UnreachableHost';
}

/** All public IPv6 addresses are in the network 2000::/3. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * True for public internet addresses. False for private, loopback, link-local, multicast, documentation and other reserved addresses, for IPv6
 * addresses that embed IPv4, and for invalid addresses. IPv4-mapped addresses are checked as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalIpv6));
}

const notPublic = (): UnreachableHost => new UnreachableHost('must point to a public address');

/** Returns the addresses. Throws UnreachableHost if the list is empty or contains a non-public address. */
function allPublic(addresses: readonly LookupAddress[]): LookupAddress[] {
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
    throw notPublic();
  return [...addresses];
}

/** DNS lookup function for sockets that only returns public addresses. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    try {
      const checked = allPublic(addresses);
      const [first] = checked;
      return options.all === true || first === undefined
        ? callback(null, checked)
        : callback(null, first.address, first.family);
    } catch (rejection) {
      return callback(rejection as UnreachableHost, []);
    }
  });
};

/** Returns the host in a URL, without the brackets around IPv6 addresses. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Throws UnreachableHost if the URL contains a non-public IP address. Doesn't resolve host names. */
export function rejectLocalLiteral(url: URL): void {
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic();
}

/** Resolves the host of a URL. Throws UnreachableHost if it has no address or a non-public address. */
export async function requirePublicHost(url: URL): Promise<void> {
  rejectLocalLiteral(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  publicLookup(hostOf(url), { all: true }, (error) => {
    if (error === null) resolve();
    else
      reject(
        error instanceof UnreachableHost
          ? error
          : new UnreachableHost('must have a host name that DNS can resolve', { cause: error }),
      );
  });
  return promise;
}
