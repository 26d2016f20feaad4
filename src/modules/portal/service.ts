import { type Context, unauthorized } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { readCurrentSubscriptions } from '../../infra/subscription-rows.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';

/** What a portal shows is reached from here: the session, and its customer. */
export type PortalState = { readonly session: Row<'PortalSession'>; readonly customer: Row<'Customer'> };

/** The portal of the caller's session. Throws `unauthorized` when the session is gone; access lets no other callers through. */
export async function loadPortal(context: Context): Promise<PortalState> {
  const { caller } = context;
  if (caller.kind !== 'page' || caller.page !== 'portal') throw new Error('The portal was asked for without a session.');
  const session = await loadRow(context, 'PortalSession', caller.subjectId);
  if (session === null) throw unauthorized();
  return { session, customer: await loadExistingRow(context, 'Customer', session.customerId) };
}

/**
 * The subscription a customer is shown: the one that is not canceled, else the newest of those that once were active or in a trial; null
 * without either. Reads anew each time.
 */
export async function findShownSubscription(context: Context, customerId: string): Promise<SubscriptionRow | null> {
  const [current] = await readCurrentSubscriptions(context.sql, [customerId]);
  if (current !== undefined) return current;
  return context.db.subscription.findFirst({
    where: { customerId, OR: [{ activatedAt: { not: null } }, { trialEndsAt: { not: null } }] },
    orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
  });
}

/** The id of the subscription the caller is shown. Throws `subscription_not_found` when there is none. */
export async function requireShownSubscription(context: Context): Promise<string> {
  const { customer } = await loadPortal(context);
  const subscription = await findShownSubscription(context, customer.id);
  if (subscription === null) throw new QuittanceError('subscription_not_found', 'There is no subscription.');
  return subscription.id;
}
