import type { Context } from '../../../request/context.ts';
import { entrantOf } from '../../customers/portal-links/sign-link.ts';
import { openSession, portalUrlOf } from './create-session.ts';
import { findSessionSince } from './store.ts';

/** Time during which opening the same portal link again returns the existing session. */
const sharedMs = 60_000;

/**
 * Opens a portal session through a link and returns the portal's URL. Reuses a session that the customer opened within the last minute.
 * `expired` if the link has expired. `null` if this installation didn't issue the link, or the customer was deleted or changed their email
 * address.
 */
export async function enterPortal(
  app: Context['app'],
  token: string,
  requestId: string,
): Promise<string | 'expired' | null> {
  const found = await entrantOf(app, token, requestId);
  if (found === null || found === 'expired') return found;
  const { ctx, customer } = found;
  const since = new Date(app.wall.now().getTime() - sharedMs);
  const known = await findSessionSince(ctx, customer.id, since);
  return portalUrlOf(
    ctx,
    known?.id ?? (await openSession(ctx, () => Promise.resolve(customer), { returnUrl: null, locale: null })),
  );
}
