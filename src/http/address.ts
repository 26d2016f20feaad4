import type { IncomingMessage } from 'node:http';

// An address and a host every URL parser leaves as they are.
const plainAddress = /^\/[!$&-;=?-[\]_a-z~]*$/;
const dotSegment = /\/\.\.?(?:[/?]|$)/;
const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/** What follows the host in a URL. */
const afterHost = (url: string): string => url.slice(url.indexOf('/', url.indexOf('://') + 3));

const hasBackslash = (target: string): boolean => target.split('?', 1)[0]?.includes('\\') === true;

/** An address as a URL has it: without dot segments, with everything encoded that has to be. Null for what is no address. */
function normalized(target: string, host: string): string | null {
  if (hasBackslash(target)) return null;
  if (/^https?:\/\//.test(target)) {
    const url = URL.parse(target);
    return url === null ? null : afterHost(url.href);
  }
  if (host === '' || !target.startsWith('/')) return null;
  const url = URL.parse(`http://${host}${target}`);
  if (url === null) return null;
  // A host that holds more than a host would become a part of something else.
  const isHost =
    plainHost.test(host) ||
    url.hostname.length === host.length ||
    url.hostname === host.replace(/:\d+$/, '').toLowerCase();
  return isHost ? afterHost(url.href) : null;
}

/** The path and query string a request asks for. Most are taken as they were sent; others are normalized. Null for what is no address. */
export function addressOf({
  url = '',
  headers: { host = '' },
}: Pick<IncomingMessage, 'url' | 'headers'>): string | null {
  const isPlain = plainAddress.test(url) && !dotSegment.test(url) && plainHost.test(host);
  return isPlain ? url : normalized(url, host);
}

/** Decodes what of a path can be decoded; an encoded percent sign stays encoded. */
function decoded(path: string): string {
  const decode = (text: string): string => decodeURI(text.replaceAll('%25', '%2525'));
  try {
    return decode(path);
  } catch {
    return path.replace(/(?:%[0-9A-Fa-f]{2})+/g, (encoded) => {
      try {
        return decode(encoded);
      } catch {
        return encoded;
      }
    });
  }
}

/** The path of an address, decoded. */
export function pathOf(address: string): string {
  const end = address.search(/[?#]/);
  const path = end === -1 ? address : address.slice(0, end);
  return path.includes('%') ? decoded(path) : path;
}
