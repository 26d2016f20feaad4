import { base } from '../../data/place.ts';

/** A link of an email about an account. */
export type AccountLink = { readonly kind: 'reset-password' | 'verify-email'; readonly token: string };

/** The link that an address is; null for every other address. */
export function linkOf(path: string): AccountLink | null {
  const [, kind, token] =
    /^\/dashboard\/(reset-password|verify-email)\/([^/]+)\/?$/.exec(path.slice(base.length)) ?? [];
  if (kind === undefined || token === undefined) return null;
  return { kind: kind as AccountLink['kind'], token: decodeURIComponent(token) };
}

/** Where the dashboard begins. */
export const start = `${base}/dashboard`;
