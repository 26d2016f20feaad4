/** Local hosts, which are allowed without HTTPS. */
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

/**
 * Returns true if a string is a valid origin: `https://host` or `https://host:port`, or `http` for local hosts. The
 * host consists of letters, digits, hyphens, and dots, or is an IPv6 address. Rejects wildcards and other characters
 * that have a special meaning in a content security policy.
 */
export function isPageOrigin(text: string): boolean {
  const [, scheme, host] =
    /^(https?):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.exec(text) ?? [];
  if (scheme === undefined || host === undefined || host.includes('..')) return false;
  // Browsers send origins in lowercase and without the default port, so other forms would never match.
  if (URL.parse(text)?.origin !== text) return false;
  return scheme === 'https' || localHosts.has(host);
}

/** Returns the stored strings that are valid origins. Older versions validated origins less strictly. */
export const pageOrigins = (texts: readonly string[] | undefined): string[] =>
  (texts ?? []).filter(isPageOrigin);
