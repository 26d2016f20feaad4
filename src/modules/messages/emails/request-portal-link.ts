import { portalLinks } from '../../../domain/limits/system-operations.ts';
import { takeOperation } from '../../../engine/policy/gauges.ts';
import type { AnonymousContext, Context } from '../../../request/context.ts';
import { systemContext } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type CustomerRow, findIdentifiedByEmail } from '../../customers/customers/store.ts';
import type { Addressed } from '../../customers/portal-links/sign-link.ts';
import { findOrganizationBySlug, readOrganization } from '../../organization/organizations/store.ts';
import { storeEmails } from './send-to-organization.ts';
import { findHolders, lockRecipients } from './store.ts';

export type PortalLinkRequest = {
  readonly slug: string;
  readonly email: string;
  /** True for the live environment, false for the sandbox. */
  readonly livemode: boolean;
};

/**
 * Emails a portal link to the customers that an email address identifies, including customers created through a pricing table. Returns
 * before the lookup, so that the response doesn't reveal whether a customer exists. Sends nothing if the organization or address is
 * unknown, if customer emails are turned off, or if a limit in `storePortalLink` is exceeded.
 */
export function requestPortalLink(
  ctx: Pick<AnonymousContext, 'app' | 'requestId' | 'log'>,
  request: PortalLinkRequest,
): void {
  sendLink(ctx, request).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'A link to the portal could not be sent.'),
  );
}

/**
 * Emails a portal link to subscribed customers with this address, because a pricing table visitor is making another purchase with the
 * address (CAT-64a). Returns before the lookup, so that the response doesn't reveal whether a customer exists. Has the same limits as
 * `requestPortalLink`.
 */
export function remindOfSubscription(ctx: Context, email: string): void {
  sendReminder(ctx, email).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'A link to the portal could not be sent.'),
  );
}

async function sendReminder({ app, environment, requestId }: Context, email: string): Promise<void> {
  const ctx = await systemContext(app, environment.id, requestId);
  if (!(await readOrganization(ctx)).customerEmails) return;
  const customers = await findIdentifiedByEmail(ctx, email);
  const holders = await findHolders(
    ctx,
    customers.map(({ id }) => id),
  );
  for (const customer of customers) if (holders.has(customer.id)) await storePortalLink(ctx, customer);
}

async function sendLink(
  { app, requestId }: Pick<AnonymousContext, 'app' | 'requestId'>,
  { slug, email, livemode }: PortalLinkRequest,
): Promise<void> {
  const found = await findOrganizationBySlug(app, slug, livemode);
  if (found === null || !found.organization.customerEmails) return;
  const ctx = await systemContext(app, found.environmentId, requestId);
  for (const customer of await findIdentifiedByEmail(ctx, email)) await storePortalLink(ctx, customer);
}

/**
 * Stores an email with a portal link for a customer. Returns `false` without storing it if the customer received 5 such emails in the last
 * hour or 20 in the last day (PLT-115).
 */
async function storePortalLink(
  ctx: Context,
  { id: customerId, email: recipient }: Pick<CustomerRow, 'id' | 'email'>,
): Promise<boolean> {
  return inTransaction(
    ctx,
    async (tx) => {
      const counted = { delta: { calls: 1n, money: 0n }, now: tx.wall.now() };
      if ((await takeOperation(tx.sql, customerId, portalLinks, counted)).length > 0) return false;
      await lockRecipients(tx.sql, [customerId]);
      await storeEmails(tx, [{ audience: 'portal', customerId, recipient, subject: null, content: null }]);
      return true;
    },
    { clockLock: 'none' },
  );
}

/** Result of requesting a new portal link. `off` if the organization turned off customer emails. */
export type FreshLink = 'sent' | 'limited' | 'off';

/** Emails a new portal link to a customer who opened an expired link (PLT-116). */
export async function sendFreshLink({ ctx, customer }: Addressed): Promise<FreshLink> {
  if (!(await readOrganization(ctx)).customerEmails) return 'off';
  return (await storePortalLink(ctx, customer)) ? 'sent' : 'limited';
}
