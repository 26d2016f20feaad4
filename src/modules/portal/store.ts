import { type Context, unauthorized } from '../../context.ts';
import { QuittanceError, specificError } from '../../domain/errors.ts';
import type { EventSource } from '../../domain/events.ts';
import { type PortalSettings, portalSettingsOf } from '../../domain/page-settings.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import { readOrganization } from '../organizations/store.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import { readCurrentSubscriptions } from '../subscriptions/store.ts';

/**
 * Counts a try of a customer to pay on a date, in one statement; false, and nothing counted, when there were `limit` on that date already.
 * Only the latest date is remembered.
 */
export async function takeRetry(sql: Query, customerId: string, date: Date, limit: number): Promise<boolean> {
  const counted = await sql(
    `INSERT INTO "PortalRetryCount" AS t ("environmentId", id, "onDate", count) VALUES ($1, $2, $3, 1)
     ON CONFLICT ("environmentId", id) DO UPDATE SET "onDate" = $3, count = CASE WHEN t."onDate" = $3 THEN t.count + 1 ELSE 1 END
     WHERE t."onDate" <> $3 OR t.count < $4 RETURNING t.count`,
    [customerId, date, limit],
  );
  return counted.length > 0;
}

/** Takes a counted try back, where nothing was tried after all; nothing is left of the only one. */
export async function returnRetry(sql: Query, customerId: string, date: Date): Promise<void> {
  await sql(
    `WITH gone AS (DELETE FROM "PortalRetryCount" t WHERE t."environmentId" = $1 AND t.id = $2 AND t."onDate" = $3 AND t.count = 1)
     UPDATE "PortalRetryCount" t SET count = t.count - 1 WHERE t."environmentId" = $1 AND t.id = $2 AND t."onDate" = $3 AND t.count > 1`,
    [customerId, date],
  );
}

/** What a portal shows is reached from here: the session, and its customer. */
export type PortalState = { readonly session: Row<'PortalSession'>; readonly customer: Row<'Customer'> };

/** The portal of the caller's session. Throws `unauthorized` when the session is gone; access lets no other callers through. */
export async function loadPortal(ctx: Context): Promise<PortalState> {
  const { caller } = ctx;
  if (caller.kind !== 'page' || caller.page !== 'portal')
    throw new Error('The portal was asked for without a session.');
  const session = await loadRow(ctx, 'PortalSession', caller.subjectId);
  if (session === null) throw unauthorized();
  const customer = await loadExistingRow(ctx, 'Customer', session.customerId);
  // A session may be opened while its customer is deleted.
  if (customer.deletedAt !== null) throw unauthorized();
  return { session, customer };
}

/** What the seller can leave out of the portal. */
type PortalAction = Exclude<keyof PortalSettings, 'cancelReasons'>;

/** Throws `forbidden` for what the seller does not offer in the portal. */
export async function demandOffered(ctx: Context, action: PortalAction): Promise<void> {
  const { pageSettings } = await readOrganization(ctx);
  if (!portalSettingsOf(pageSettings)[action]) throw specificError('forbidden', 'portal_off');
}

/** The cards a customer has stored and not removed, the latest first. */
export const loadCards = async (ctx: Context, customerId: string): Promise<Row<'PaymentMethod'>[]> =>
  (await loadRowsBy(ctx, 'PaymentMethod', 'customerId', customerId, 'seq', { removedAt: null })).toReversed();

/** What customers can do in the portal of the caller's organization. */
export const readPortalSettings = async (ctx: Context): Promise<PortalSettings> =>
  portalSettingsOf((await readOrganization(ctx)).pageSettings);

/**
 * The subscription a customer is shown: the one that is not canceled, else the newest of those that once were active or in a trial; null
 * without either. Reads again each time.
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

/** The id of the subscription the caller is shown. Throws `subscription_not_found` when there is none. */
export async function requireShownSubscription(ctx: Context): Promise<string> {
  const { customer } = await loadPortal(ctx);
  const subscription = await findShownSubscription(ctx, customer.id);
  if (subscription === null) throw new QuittanceError('subscription_not_found');
  return subscription.id;
}

/** What is to be paid of the invoice being collected, minor units; null without one. Batched. */
export const loadAmountOwed = async (ctx: Context, invoiceId: string | null): Promise<bigint | null> =>
  invoiceId === null ? null : (await loadExistingRow(ctx, 'Invoice', invoiceId, new Set(['total']))).total;

/** The plans a customer may choose: the own one and those of its group, public and not deleted, in the order they are shown. */
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

/** The base prices of these plans that can be selected. */
export const findShownPrices = (ctx: Context, planIds: readonly string[]): Promise<Row<'PlanPrice'>[]> =>
  ctx.db.planPrice.findMany({
    where: { planId: { in: [...planIds] }, archivedAt: null, inheritsFromPriceId: null },
  });

/** The newest session of a customer without return address that was opened after an instant; null for none. */
export const findSessionSince = (
  ctx: Context,
  customerId: string,
  since: Date,
): Promise<Row<'PortalSession'> | null> =>
  ctx.db.portalSession.findFirst({
    where: { customerId, returnUrl: null, createdAt: { gt: since } },
    orderBy: { createdAt: 'desc' },
  });

/** Whether a customer has accepted an offer as the offer to stay before, on whichever subscription (OFR-42). */
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

/** The offers to stay that are applied to a subscription and have not been ended. */
export const findRetentions = (ctx: Context, subscriptionId: string): Promise<Row<'OfferApplication'>[]> =>
  ctx.db.offerApplication.findMany({ where: { subscriptionId, source: 'retention', endedAt: null } });

/** Whether the customer scheduled the latest cancellation of a subscription in the portal; false where its event is gone. */
export async function isCanceledByCustomer({ sql }: Context, subscriptionId: string): Promise<boolean> {
  const [latest] = await sql<{ readonly source: EventSource }>(
    `SELECT source FROM "Event" WHERE "environmentId" = $1 AND "subscriptionId" = $2 AND kind = 'subscription.cancellation_scheduled'
     ORDER BY position DESC LIMIT 1`,
    [subscriptionId],
  );
  return latest?.source === 'portal';
}
