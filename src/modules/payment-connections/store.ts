import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Row } from '../../platform/db/rows.ts';
import { readOrganization } from '../organizations/store.ts';

export type ConnectionRow = Row<'PaymentConnection'>;

/** Where the provider of a connection sends its events. */
export const webhookUrl = ({ app, environment }: Context, id: string): string =>
  `${app.config.publicUrl}/webhooks/stripe/${environment.id}/${id}`;

/** The connection with this id. Throws `not_found`. */
export async function requireConnection(ctx: Context, id: string, param = 'id'): Promise<ConnectionRow> {
  const connection = await findConnection(ctx, id);
  if (connection === null) throw specificError('not_found', 'payment_connection', { param });
  return connection;
}

/** Invoices of money taken on an account of its own are issued by the organization. Throws `validation_error` on `param` without its address (PAY-12). */
export async function requireIssuer(ctx: Context, param: string): Promise<void> {
  const { issuerAddress } = await readOrganization(ctx);
  if (issuerAddress !== null) return;
  throw validationError([
    {
      field: param,
      message: "Invoices need the organization's address first: `organizationUpdate` with `issuerAddress`.",
    },
  ]);
}

/** The countries that are routed, by code. */
export const listRoutes = async ({ db }: Context) =>
  (await db.paymentRoute.findMany({ orderBy: { id: 'asc' } })).map(({ id, connectionId }) => ({
    id,
    connectionId,
    isRouted: true,
  }));

/** Locks the default and the routes of the environment until the transaction ends: one transaction at a time decides where checkouts go. */
export async function lockRouting({ sql }: Context): Promise<void> {
  await sql(`SELECT pg_advisory_xact_lock(hashtextextended($1 || ' payment routing', 0))`);
}

/** At most one is the default: the other gives it up first. Holds the lock of the routing. */
export async function giveUpDefault(ctx: Context): Promise<void> {
  await lockRouting(ctx);
  const [current] = await ctx.db.paymentConnection.findMany({ where: { isDefault: true } });
  if (current !== undefined)
    await ctx.db.paymentConnection.update({ where: { id: current.id }, data: { isDefault: false } });
}

/** The connection with this id; null for none. */
export const findConnection = (ctx: Context, id: string): Promise<ConnectionRow | null> =>
  ctx.db.paymentConnection.findFirst({ where: { id } });

/** The default connection, else the oldest; null where there is none. */
export const findDefaultConnection = (ctx: Context): Promise<ConnectionRow | null> =>
  ctx.db.paymentConnection.findFirst({ orderBy: [{ isDefault: 'desc' }, { seq: 'asc' }] });

/**
 * The newest card at the processor of a connection, null for the platform's own, that a subscription of the customer is charged by and that is not expired; null for none. A card that someone
 * typed in at a link without customer is charged by no subscription, and customers that visitors of pricing tables made have typed in an address that
 * nobody has proven.
 */
export async function findSavedCard(
  ctx: Context,
  customerId: string,
  connectionId: string | null,
  now: Date,
): Promise<Row<'PaymentMethod'> | null> {
  const [row] = await ctx.sql<Row<'PaymentMethod'>>(
    `SELECT ${columnList('PaymentMethod', 'm')} FROM "PaymentMethod" m
     WHERE m."environmentId" = $1 AND m."customerId" = $2 AND m."removedAt" IS NULL
       AND CASE WHEN $4::text IS NULL THEN m.provider = 'platform' ELSE m.provider = 'stripe' AND starts_with(m.reference, $4 || '/') END
       AND m."expYear" * 12 + m."expMonth" > $3
       AND EXISTS (SELECT FROM "Subscription" s WHERE s."environmentId" = $1 AND s."customerId" = $2 AND s."paymentMethodId" = m.id)
       AND NOT EXISTS (SELECT FROM "PricingTablePurchase" p WHERE p."environmentId" = $1 AND p."customerId" = $2)
     ORDER BY m.seq DESC LIMIT 1`,
    [customerId, now.getUTCFullYear() * 12 + now.getUTCMonth(), connectionId],
  );
  return row ?? null;
}

/** The newest method of a customer that was stored on a connection; null for none. */
export const findNewestMethod = (
  ctx: Context,
  customerId: string,
  connectionId: string,
): Promise<Row<'PaymentMethod'> | null> =>
  ctx.db.paymentMethod.findFirst({
    where: { customerId, provider: 'stripe', reference: { startsWith: `${connectionId}/` } },
    orderBy: { seq: 'desc' },
  });
