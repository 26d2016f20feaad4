import type { Context } from '../../context.ts';
import type { PaymentProvider } from '../../domain/enums.ts';
import { specificError } from '../../domain/errors.ts';
import { inTransaction } from '../../transaction.ts';
import {
  type ConnectionRow,
  findConnection,
  findDefaultConnection,
  lockRouting,
  requireConnection,
  requireIssuer,
} from './store.ts';

/** Where a country goes; `connectionId` is null for the platform's own processor and for a country that is not routed. */
export type RouteRow = {
  readonly id: string;
  readonly connectionId: string | null;
  readonly isRouted: boolean;
};

/** A country and where it goes: the id of a connection, `platform`, or null for no route. */
export type SetRouteInput = { readonly country: string; readonly provider: string | null };

/**
 * Routes new checkouts of a country, or takes its route away; checkouts and subscriptions that have a method stay where they are (PAY-13,
 * PAY-14). Throws `not_found`, and `validation_error` on `country` without the issuer's address.
 */
export const setRoute = (ctx: Context, { country, provider }: SetRouteInput): Promise<RouteRow> =>
  inTransaction(ctx, async (tx) => {
    const { paymentRoute } = tx.db;
    await lockRouting(tx);
    await paymentRoute.deleteMany({ where: { id: country } });
    if (provider === null) return { id: country, connectionId: null, isRouted: false };
    const connectionId =
      provider === 'platform' ? null : (await requireConnection(tx, provider, 'provider')).id;
    if (connectionId !== null) await requireIssuer(tx, 'country');
    await paymentRoute.create({ data: { id: country, connectionId } });
    return { id: country, connectionId, isRouted: true };
  });

/**
 * The connection a creating call names by its id, or by `stripe` for the default or else the oldest one; null for anything else, which the
 * decision judges.
 */
export async function namedConnection(
  ctx: Context,
  provider: string | null | undefined,
): Promise<ConnectionRow | null> {
  if (provider == null || provider === 'platform') return null;
  if (provider !== 'stripe') return findConnection(ctx, provider);
  return findDefaultConnection(ctx);
}

/** What was said about a connection: a provider that was named, and which of its connections. */
export type Wish = { readonly provider: PaymentProvider | null; readonly connectionId?: string | null };

/** What a creating call says by `provider`, a provider's name or the id of a connection. Throws `provider_unsupported` for any other (PAY-13). */
export async function wishOf(ctx: Context, provider: string | null | undefined): Promise<Wish> {
  const connection = await namedConnection(ctx, provider);
  if (connection !== null) return { provider: connection.provider, connectionId: connection.id };
  if (provider == null || provider === 'platform') return { provider: provider ?? null };
  throw specificError('provider_unsupported', 'connection_unusable', {
    values: { provider },
    param: 'provider',
  });
}

/**
 * The connection of a new checkout: the one named, else the route of the billing country, else the default; null for the platform's own
 * rail (PAY-13). Where the payer's address on the network lies is ignored.
 */
export async function connectionFor(
  ctx: Context,
  wish: Wish,
  country: string | null,
): Promise<ConnectionRow | null> {
  const { paymentConnection, paymentRoute } = ctx.db;
  if (wish.connectionId != null) return requireConnection(ctx, wish.connectionId, 'provider');
  if (wish.provider !== null) return null;
  const route = country === null ? null : await paymentRoute.findFirst({ where: { id: country } });
  if (route !== null) return route.connectionId === null ? null : requireConnection(ctx, route.connectionId);
  return paymentConnection.findFirst({ where: { isDefault: true } });
}
