import { type Context, findSystemContext } from '../../context.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { openSession, portalUrlOf } from './create-session.ts';
import { findSessionSince } from './store.ts';

/** The page name in tokens of links that lead to the portal. */
const entryPage = 'portal_entry';

const entryDays = 30;
const dayMs = 86_400_000;

/** How long one session is reused when the link is opened again. */
const sharedMs = 60_000;

type Addressee = Pick<Row<'Customer'>, 'id' | 'email'>;

/** A link is for the reader of a customer's mail: once the customer has another address, the links sent to the one before are dead. */
const subjectOf = ({ id, email }: Addressee): string => `${id} ${hashSecret(email).slice(0, 32)}`;

/**
 * A signed address, for mail, at which a customer opens the portal, for 30 days of operational time unless it is to end earlier. It holds no session: each is opened when the
 * link is, and ends as every session does. Reads and writes nothing.
 */
export async function entryUrl(
  { app, environment, wall }: Pick<Context, 'app' | 'environment' | 'wall'>,
  customer: Addressee,
  validMs = entryDays * dayMs,
): Promise<string> {
  const second = Math.floor(wall.now().getTime() / 1_000) * 1_000;
  const details = { page: entryPage, environmentId: environment.id, subjectId: subjectOf(customer) };
  return `${app.config.publicUrl}/manage/${await app.secrets.signLink(details, new Date(second + validMs))}`;
}

/**
 * Opens a portal session by such a link, or answers the one it opened within the last minute, as the address of the portal. `expired` once its
 * time is over; null for a link that was not issued here, and for one to a customer who is gone or has another address by now.
 */
export async function enterPortal(
  app: Context['app'],
  token: string,
  requestId: string,
): Promise<string | 'expired' | null> {
  const details = await app.secrets.readLink(token, entryPage, app.wall.now());
  if (details === null || details === 'expired') return details;
  const ctx = await findSystemContext(app, details.environmentId, requestId);
  if (ctx === null) return null;
  const [id = ''] = details.subjectId.split(' ');
  const customer = await loadRow(ctx, 'Customer', id);
  if (customer?.deletedAt !== null || subjectOf(customer) !== details.subjectId) return null;
  const since = new Date(app.wall.now().getTime() - sharedMs);
  const known = await findSessionSince(ctx, id, since);
  return portalUrlOf(
    ctx,
    known?.id ?? (await openSession(ctx, () => Promise.resolve(customer), { returnUrl: null, locale: null })),
  );
}
