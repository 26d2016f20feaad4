import { specificError } from '../../../domain/errors/errors.ts';
import { routeUpdated } from '../../../domain/events/settings-events.ts';
import { type PaymentProvider, unavailableProviders } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import {
  type ConnectionRow,
  connectionRows,
  findDefaultConnection,
  findDestination,
  lockRouting,
  requireIssuer,
} from './store.ts';

/** Payment route for a country. `connectionId` is `null` if the platform's payment provider is used, or if the country has no route. */
export type RouteRow = {
  readonly id: string;
  readonly connectionId: string | null;
  readonly isRouted: boolean;
};

/** Country and its destination: a connection ID, `platform`, or `null` to remove the route. */
export type SetRouteInput = { readonly country: string; readonly provider: string | null };

/**
 * Sets or removes the route for new checkouts in a country. Subscriptions with a stored payment method, and checkouts
 * whose request specified a connection, aren't affected (PAY-13, PAY-14). Throws `not_found`, and `validation_error` on
 * `country` if the issuer address is missing.
 */
export const setRoute = (ctx: Context, { country, provider }: SetRouteInput): Promise<RouteRow> =>
  inTransaction(ctx, async (tx) => {
    const { paymentRoute } = tx.db;
    await lockRouting(tx);
    const previous = await findDestination(tx, country);
    const note = async (): Promise<void> => {
      if (provider !== previous)
        await recordEvents(tx, [routeUpdated(country, provider, previous, tx.clock.now())]);
    };
    await paymentRoute.deleteMany({ where: { id: country } });
    if (provider === null) {
      await note();
      return { id: country, connectionId: null, isRouted: false };
    }
    const connectionId =
      provider === 'platform' ? null : (await connectionRows.require(tx, provider, 'provider')).id;
    if (connectionId !== null) await requireIssuer(tx, 'country');
    await paymentRoute.create({ data: { id: country, connectionId } });
    await note();
    return { id: country, connectionId, isRouted: true };
  });

/**
 * Returns the connection with the requested ID. For `stripe`, returns the default connection, or the oldest connection if there's no
 * default. Returns `null` for all other values, which the decision validates.
 */
export async function namedConnection(
  ctx: Context,
  provider: string | null | undefined,
): Promise<ConnectionRow | null> {
  if (provider == null || provider === 'platform') return null;
  if (provider !== 'stripe') return connectionRows.find(ctx, provider);
  return findDefaultConnection(ctx);
}

/** Provider that a request specifies, and the connection ID if the request specifies a connection. */
export type Wish = { readonly provider: PaymentProvider | null; readonly connectionId?: string | null };

/** Parses the `provider` of a request: a provider name or a connection ID. Throws `provider_unsupported` for all other values (PAY-13). */
export async function parseProvider(ctx: Context, provider: string | null | undefined): Promise<Wish> {
  const connection = await namedConnection(ctx, provider);
  if (connection !== null) return { provider: connection.provider, connectionId: connection.id };
  if (provider == null || provider === 'platform') return { provider: provider ?? null };
  if (unavailableProviders.has(provider))
    throw specificError('provider_unsupported', 'provider_unavailable', {
      values: { provider },
      param: 'provider',
    });
  throw specificError('provider_unsupported', 'connection_unusable', {
    values: { provider },
    param: 'provider',
  });
}

/**
 * Returns the connection for a new checkout: the requested connection, falling back to the route for the billing country and then to the
 * default. `null` means the platform's payment provider (PAY-13). The payer's IP address is ignored.
 */
export async function connectionFor(
  ctx: Context,
  wish: Wish,
  country: string | null,
): Promise<ConnectionRow | null> {
  const { paymentConnection, paymentRoute } = ctx.db;
  if (wish.connectionId != null) return connectionRows.require(ctx, wish.connectionId, 'provider');
  if (wish.provider !== null) return null;
  const route = country === null ? null : await paymentRoute.findFirst({ where: { id: country } });
  if (route !== null)
    return route.connectionId === null ? null : connectionRows.require(ctx, route.connectionId);
  return paymentConnection.findFirst({ where: { isDefault: true } });
}
