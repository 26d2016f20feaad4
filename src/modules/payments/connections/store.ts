import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { columnList } from '../../../platform/db/bulk.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import { readOrganization } from '../../organization/organizations/store.ts';

export type ConnectionRow = Row<'PaymentConnection'>;

/** Returns the URL that receives the payment provider's webhook events for the connection. */
export const webhookUrl = ({ app, environment }: Context, id: string): string =>
  `${app.config.publicUrl}/webhooks/stripe/${environment.id}/${id}`;

/** Payment connections. */
export const connectionRows = resource('PaymentConnection', {
  prefix: 'con',
  object: 'payment_connection',
  notFound: (param) => specificError('not_found', 'payment_connection', { param }),
  defaults: { isDefault: false },
});

/**
 * Checks that the organization can issue invoices for payments that its own account collects. Throws `validation_error` on `param` if the
 * issuer address is missing (PAY-12).
 */
export async function requireIssuer(ctx: Context, param: string): Promise<void> {
  const { issuerAddress } = await readOrganization(ctx);
  if (issuerAddress !== null) return;
  throw validationError([
    {
      field: param,
      message: "Set the organization's address first. Use `organizationUpdate` with `issuerAddress`.",
    },
  ]);
}

/** Returns the countries that have a payment route, sorted by country code. */
export const listRoutes = async ({ db }: Context) =>
  (await db.paymentRoute.findMany({ orderBy: { id: 'asc' } })).map(({ id, connectionId }) => ({
    id,
    connectionId,
    isRouted: true,
  }));

/** Returns the destination of a country's route: a connection ID or `platform`. `null` if the country has no route. */
export async function findDestination({ db }: Context, country: string): Promise<string | null> {
  const route = await db.paymentRoute.findFirst({ where: { id: country } });
  return route === null ? null : (route.connectionId ?? 'platform');
}

/** Locks the default connection and the routes of the environment until the transaction ends. The lock serializes changes. */
export async function lockRouting({ sql }: Context): Promise<void> {
  await sql(`SELECT pg_advisory_xact_lock(hashtextextended($1 || ' payment routing', 0))`);
}

/** Clears the default flag of the current default connection. Takes the routing lock. */
export async function removeDefault(ctx: Context): Promise<void> {
  await lockRouting(ctx);
  const [current] = await ctx.db.paymentConnection.findMany({ where: { isDefault: true } });
  if (current !== undefined)
    await ctx.db.paymentConnection.update({ where: { id: current.id }, data: { isDefault: false } });
}

/** Returns the default connection, falling back to the oldest connection. `null` if the environment has no connection. */
export const findDefaultConnection = (ctx: Context): Promise<ConnectionRow | null> =>
  ctx.db.paymentConnection.findFirst({ orderBy: [{ isDefault: 'desc' }, { seq: 'asc' }] });

/**
 * Returns the customer's newest unexpired card that a subscription uses, on a connection or, if `connectionId` is `null`, at the platform's
 * payment provider. `null` if no card matches. Subscriptions never use cards that were entered on a link without a customer. Customers
 * created by pricing table visitors are excluded, because their email addresses aren't verified.
 */
export async function findSavedCard(
  ctx: Context,
  customerId: string,
  connectionId: string | null,
  now: Date,
): Promise<Row<'PaymentMethod'> | null> {
  const [row] = await ctx.sql<Row<'PaymentMethod'>>(
    `SELECT ${columnList('PaymentMethod', 'm')} FROM "PaymentMethod" m
     WHERE m."environmentId" = $1 AND m."customerId" = $2 AND m."removedAt" IS NULL AND m.instrument = 'card'
       AND CASE WHEN $4::text IS NULL THEN m.provider = 'platform' ELSE m.provider = 'stripe' AND starts_with(m.reference, $4 || '/') END
       AND m."expYear" * 12 + m."expMonth" > $3
       AND EXISTS (SELECT FROM "Subscription" s WHERE s."environmentId" = $1 AND s."customerId" = $2 AND s."paymentMethodId" = m.id)
       AND NOT EXISTS (SELECT FROM "PricingTablePurchase" p WHERE p."environmentId" = $1 AND p."customerId" = $2)
     ORDER BY m.seq DESC LIMIT 1`,
    [customerId, now.getUTCFullYear() * 12 + now.getUTCMonth(), connectionId],
  );
  return row ?? null;
}

/** Returns the customer's newest payment method on a connection. `null` if the customer has no payment method on the connection. */
export const findNewestMethod = (
  ctx: Context,
  customerId: string,
  connectionId: string,
): Promise<Row<'PaymentMethod'> | null> =>
  ctx.db.paymentMethod.findFirst({
    where: { customerId, provider: 'stripe', reference: { startsWith: `${connectionId}/` } },
    orderBy: { seq: 'desc' },
  });

/** Returns the reference to the newest payment method that a connection stores. `null` if the connection stores none. */
export async function findStoredReference({ db }: Context, connectionId: string): Promise<string | null> {
  const row = await db.paymentMethod.findFirst({
    where: { provider: 'stripe', reference: { startsWith: `${connectionId}/` }, removedAt: null },
    orderBy: { seq: 'desc' },
  });
  return row?.reference ?? null;
}
