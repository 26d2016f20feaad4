// Captures the part of a URL between the scheme and the path, query, or fragment: the host, and the user name
// and password before `@`.
const form = /^https?:\/\/(?<authority>[^\s\\/?#\p{Cc}]+)[^\s\\\p{Cc}]*$/iu;

/**
 * Returns the reason why a string isn't a valid HTTP or HTTPS URL, as a phrase that follows the field name. `null` if
 * the URL is valid. Rejects spaces, control characters, and backslashes, and requires exactly two slashes before the
 * host, because browsers silently convert other forms. Rejects user names and passwords unless `mayHoldCredentials` is
 * true.
 */
export function webAddressViolation(text: string, mayHoldCredentials = false): string | null {
  const authority = form.exec(text)?.groups?.['authority'];
  if (authority === undefined || !URL.canParse(text)) return 'must be an HTTP or HTTPS URL';
  return authority.includes('@') && !mayHoldCredentials ? "can't contain a username or password" : null;
}
