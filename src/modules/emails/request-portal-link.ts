import type { AnonymousContext, Context } from '../../context.ts';
import { systemContext } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import { type CustomerRow, findMeantByEmail } from '../customers/store.ts';
import { findOrganizationBySlug } from '../organizations/store.ts';
import { storeEmails } from './send-to-organization.ts';
import { countSince, lockRecipients } from './store.ts';

/** Who asks to be let into the portal of which organization. */
export type PortalLinkRequest = {
  readonly slug: string;
  readonly email: string;
  /** Whether the live environment is meant. */
  readonly livemode: boolean;
};

/** In which time so many are counted. */
const windowMs = 3_600_000;

/** How many such emails one customer gets in an hour. */
const mostPerHour = 5;

/**
 * Sends the customer with an address a link to the portal of an organization – and another one for what was bought at a pricing table under that address – and says nothing about whether there is one: it answers before it
 * looks. Nothing is sent for an unknown organization or address, where the organization writes to nobody, and after five emails within an hour.
 */
export function requestPortalLink(
  ctx: Pick<AnonymousContext, 'app' | 'requestId' | 'log'>,
  request: PortalLinkRequest,
): void {
  sendLink(ctx, request).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'A link to the portal could not be sent.'),
  );
}

async function sendLink(
  { app, requestId }: Pick<AnonymousContext, 'app' | 'requestId'>,
  { slug, email, livemode }: PortalLinkRequest,
): Promise<void> {
  const found = await findOrganizationBySlug(app, slug, livemode);
  if (found === null || !found.organization.customerEmails) return;
  const ctx = await systemContext(app, found.environmentId, requestId);
  for (const customer of await findMeantByEmail(ctx, [...new Set([email, email.toLowerCase()])]))
    await storeLink(ctx, customer);
}

/** Stores an email with a link for a customer, unless it got as many as it gets in an hour. */
const storeLink = (ctx: Context, { id: customerId, email: recipient }: CustomerRow): Promise<void> =>
  inTransaction(
    ctx,
    async (tx) => {
      await lockRecipients(tx.sql, [customerId]);
      const since = new Date(tx.wall.now().getTime() - windowMs);
      if ((await countSince(tx.sql, customerId, since)) >= mostPerHour) return;
      await storeEmails(tx, [{ audience: 'portal', customerId, recipient, subject: null, content: null }]);
    },
    { clockLock: 'none' },
  );
