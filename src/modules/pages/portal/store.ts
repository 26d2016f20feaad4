import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { EventSource } from '../../../domain/events/events.ts';
import { amountDue } from '../../../domain/invoicing/credit-note.ts';
import { type PortalSettings, portalSettingsOf } from '../../../domain/pages/page-settings.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { type Context, unauthorized } from '../../../request/context.ts';
import { readOrganization } from '../../organization/organizations/store.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { readCurrentSubscriptions } from '../../subscriptions/subscriptions/store.ts';

/** Root object of the portal's queries: the session and its customer. */
export type PortalState = { readonly session: Row<'PortalSession'>; readonly customer: Row<'Customer'> };

/**
 * Returns the state of the caller's portal session. Throws `unauthorized` if the session no longer exists. The access rules reject all
 * other callers.
 */
export async function loadPortal(ctx: Context): Promise<PortalState> {
  const { caller } = ctx;
  if (caller.kind !== 'page' || caller.page !== 'portal')
    throw new Error('The portal was requested without a session.');
  const session = await loadRow(ctx, 'PortalSession', caller.subjectId);
  if (session === null) throw unauthorized();
  const customer = await loadExistingRow(ctx, 'Customer', session.customerId);
  // A customer can be deleted while a session is open.
  if (customer.deletedAt !== null) throw unauthorized();
  return { session, customer };
}

/** Portal actions that the organization can turn off. */
export type PortalSetting = Exclude<keyof PortalSettings, 'cancelReasons'>;

/** Throws `forbidden` if the organization turned off a portal action. */
export async function demandOffered(ctx: Context, action: PortalSetting): Promise<void> {
  const { pageSettings } = await readOrganization(ctx);
  if (!portalSettingsOf(pageSettings)[action]) throw specificError('forbidden', 'portal_off');
}

/** Returns the stored cards of a customer, newest first. Excludes removed cards. */
export const loadCards = async (ctx: Context, customerId: string): Promise<Row<'PaymentMethod'>[]> =>
  (await loadRowsBy(ctx, 'PaymentMethod', 'customerId', customerId, 'seq', { removedAt: null })).toReversed();

/** Returns the portal settings of the caller's organization. */
export const readPortalSettings = async (ctx: Context): Promise<PortalSettings> =>
  portalSettingsOf((await readOrganization(ctx)).pageSettings);

/**
 * Returns the subscription that the portal shows to a customer: the subscription that isn't canceled. If all subscriptions are canceled,
 * returns the newest subscription that was ever active or in a trial. `null` if the customer has no such subscription. Not cached.
 */
export async function findShownSubscription(
  ctx: Context,
  customerId: string,
): Promise<SubscriptionRow | null> {
  const [current] = await readCurrentSubscriptions(ctx.sql, [customerId]);
  if (current !== undefined) return current;
  return ctx.db.subscription.findFirst({
    where: { customerId, OR: [{ activatedAt: { not: null } }, { trialEndsAt: { not: null } }] },
    orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
  });
}

/** Returns the ID of the subscription that the caller's portal shows. Throws `subscription_not_found` if the portal shows no subscription. */
export async function requireShownSubscription(ctx: Context): Promise<string> {
  const { customer } = await loadPortal(ctx);
  const subscription = await findShownSubscription(ctx, customer.id);
  if (subscription === null) throw new QuittanceError('subscription_not_found');
  return subscription.id;
}

/**
 * Returns the amount due of the invoice in dunning, in minor units. `null` if no invoice ID is given. Lookups are
 * batched.
 */
export const loadAmountOwed = async (ctx: Context, invoiceId: string | null): Promise<bigint | null> =>
  invoiceId === null ? null : amountDue(await loadExistingRow(ctx, 'Invoice', invoiceId, dueColumns));

const dueColumns: ReadonlySet<string> = new Set(['status', 'total', 'creditedDue', 'paidInParts']);

/**
 * Returns the plans that a customer can choose, in display order. These are the public plans in the current plan's
 * group, and the current plan itself if it's public. Excludes deleted plans.
 */
export const findShownPlans = (
  ctx: Context,
  planId: string,
  planGroupId: string | null,
): Promise<Row<'Plan'>[]> =>
  ctx.db.plan.findMany({
    where: {
      deletedAt: null,
      isPublic: true,
      OR: [{ id: planId }, ...(planGroupId === null ? [] : [{ planGroupId }])],
    },
    orderBy: [{ sortOrder: 'asc' }, { seq: 'asc' }],
  });

/** Returns the base prices of the given plans that customers can select. */
export const findShownPrices = (ctx: Context, planIds: readonly string[]): Promise<Row<'PlanPrice'>[]> =>
  ctx.db.planPrice.findMany({
    where: { planId: { in: [...planIds] }, archivedAt: null, inheritsFromPriceId: null },
  });

/**
 * Returns a customer's newest session that was opened after the given time and has no return URL. `null` if there's no
 * such session.
 */
export const findSessionSince = (
  ctx: Context,
  customerId: string,
  since: Date,
): Promise<Row<'PortalSession'> | null> =>
  ctx.db.portalSession.findFirst({
    where: { customerId, returnUrl: null, createdAt: { gt: since } },
    orderBy: { createdAt: 'desc' },
  });

/** True if a customer already accepted an offer as a retention offer, on any subscription (OFR-42). */
export async function hasAcceptedRetention(
  { sql }: Context,
  customerId: string,
  offerId: string,
): Promise<boolean> {
  const accepted = await sql(
    `SELECT 1 FROM "OfferApplication" a JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = a."subscriptionId"
     WHERE a."environmentId" = $1 AND s."customerId" = $2 AND a."offerId" = $3 AND a.source = 'retention' LIMIT 1`,
    [customerId, offerId],
  );
  return accepted.length > 0;
}

/** Returns the applications of retention offers to a subscription. Excludes applications that have ended. */
export const findRetentions = (ctx: Context, subscriptionId: string): Promise<Row<'OfferApplication'>[]> =>
  ctx.db.offerApplication.findMany({ where: { subscriptionId, source: 'retention', endedAt: null } });

/** True if the customer scheduled the latest cancellation of a subscription in the portal. False if its event is no longer stored. */
export async function isCanceledByCustomer({ sql }: Context, subscriptionId: string): Promise<boolean> {
  const [latest] = await sql<{ readonly source: EventSource }>(
    `SELECT source FROM "Event" WHERE "environmentId" = $1 AND "subscriptionId" = $2 AND kind = 'subscription.cancellation_scheduled'
     ORDER BY position DESC LIMIT 1`,
    [subscriptionId],
  );
  return latest?.source === 'portal';
}
