import type { IncomingMessage } from 'node:http';

// Patterns that detect request targets and hosts that a URL parser would change.
const plainAddress = /^\/[!$&-;=?-[\]_a-z~]*$/;
const dotSegment = /\/\.\.?(?:[/?]|$)/;
const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

const afterHost = (url: string): string => url.slice(url.indexOf('/', url.indexOf('://') + 3));

const hasBackslash = (target: string): boolean => target.split('?', 1)[0]?.includes('\\') === true;

/** Normalizes a request target: resolves dot segments and percent-encodes characters. `null` if the target isn't a valid URL. */
function normalized(target: string, host: string): string | null {
  if (hasBackslash(target)) return null;
  if (/^https?:\/\//.test(target)) {
    const url = URL.parse(target);
    return url === null ? null : afterHost(url.href);
  }
  if (host === '' || !target.startsWith('/')) return null;
  const url = URL.parse(`http://${host}${target}`);
  if (url === null) return null;
  // Allows only these characters, because other characters in a `Host` header could change the path or credentials of the URL.
  const isHost =
    plainHost.test(host) ||
    url.hostname.length === host.length ||
    url.hostname === host.replace(/:\d+$/, '').toLowerCase();
  return isHost ? afterHost(url.href) : null;
}

/** Returns the path and query string of a request. Normalizes the request target only if necessary. `null` if the target isn't a valid URL. */
export function addressOf({
  url = '',
  headers: { host = '' },
}: Pick<IncomingMessage, 'url' | 'headers'>): string | null {
  const isPlain = plainAddress.test(url) && !dotSegment.test(url) && plainHost.test(host);
  return isPlain ? url : normalized(url, host);
}

/** Percent-decodes a path. Invalid sequences and encoded percent signs stay encoded. */
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

/** Returns the percent-decoded path of a request target, without the query string. */
export function pathOf(address: string): string {
  const end = address.search(/[?#]/);
  const path = end === -1 ? address : address.slice(0, end);
  return path.includes('%') ? decoded(path) : path;
}
