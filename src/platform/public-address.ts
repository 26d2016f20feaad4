import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

// Which addresses of the network the service lets others make it call. Names are resolved once per connection, and the connection goes to
// an address that was checked: a name that resolves differently a moment later leads nowhere else.

/** A host whose addresses are not all public, or that has none. The message completes "<field> …". */
export class UnreachableHost extends Error {
  override name = 'UnreachableHost';
}

/** IPv6 has its global unicast addresses in 2000::/3; whatever lies outside embeds, translates or stays local. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address leads to the public internet: not a private, loopback, link-local, unique-local, multicast, unspecified, documentation or
 * otherwise reserved one, nor one that embeds IPv4. An IPv4-mapped address counts as the IPv4 address in it. False for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalIpv6));
}

const notPublic = (): UnreachableHost => new UnreachableHost('must lead to a public address');

/** The addresses, when there are some and all of them are public. Throws UnreachableHost. */
function allPublic(addresses: readonly LookupAddress[]): LookupAddress[] {
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
    throw notPublic();
  return [...addresses];
}

/** A resolver for connections that answers public addresses only, so that the socket is opened to what was checked. */
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

/** The host of an address without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Throws UnreachableHost for an address that names an IP address which is not public; names are not resolved. */
export function rejectLocalLiteral(url: URL): void {
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic();
}

/** Resolves the host of an address. Throws UnreachableHost when it cannot be resolved or leads, by any of its addresses, elsewhere than to the public internet. */
export async function requirePublicHost(url: URL): Promise<void> {
  rejectLocalLiteral(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  publicLookup(hostOf(url), { all: true }, (error) => {
    if (error === null) resolve();
    else
      reject(
        error instanceof UnreachableHost
          ? error
          : new UnreachableHost('must have a host that can be resolved', { cause: error }),
      );
  });
  return promise;
}
