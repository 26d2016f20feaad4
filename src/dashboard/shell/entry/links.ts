import { base } from '../../data/place.ts';

/** Account link from an email, such as a link that resets the password. */
export type AccountLink = { readonly kind: 'reset-password' | 'verify-email'; readonly token: string };

/** Returns the account link in a path. `null` for other paths. */
export function linkOf(path: string): AccountLink | null {
  const [, kind, token] =
    /^\/dashboard\/(reset-password|verify-email)\/([^/]+)\/?$/.exec(path.slice(base.length)) ?? [];
  if (kind === undefined || token === undefined) return null;
  return { kind: kind as AccountLink['kind'], token: decodeURIComponent(token) };
}

/** Path of the home page. */
export const start = `${base}/dashboard`;
