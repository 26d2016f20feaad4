// What follows the scheme up to the path, the query or the fragment: the host, and before an @ the user name
// and password.
const form = /^https?:\/\/(?<authority>[^\s\\/?#\p{Cc}]+)[^\s\\\p{Cc}]*$/iu;

/**
 * What is wrong with a text as an http or https address, in words that may follow the name of the input; null
 * for a good one. Addresses are taken as they are written: no blanks or control characters anywhere, no
 * backslashes, no missing or third slash before the host, all of which browsers correct in unexpected ways. A
 * user name or password is rejected unless `mayHoldCredentials`.
 */
export function webAddressViolation(text: string, mayHoldCredentials = false): string | null {
  const authority = form.exec(text)?.groups?.['authority'];
  if (authority === undefined || !URL.canParse(text)) return 'must be an http or https address';
  return authority.includes('@') && !mayHoldCredentials ? 'must not hold a user name or a password' : null;
}
