import type { Context } from '../../context.ts';
import { decide } from '../../domain/subscription/decision/decide.ts';
import { anyMethod } from '../../domain/subscription/payments/checkout-quote.ts';
import type { Aggregate, Decision } from '../../domain/subscription/state/aggregate.ts';
import { statusRejections } from '../../domain/subscription/state/transitions.ts';
import { type CommandInput, commandAt } from '../../engine/execute.ts';
import { withSnapshot } from '../../engine/with-snapshot.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';

/** Something a customer can buy beside the plan: what it costs at once, tax included, minor units of the subscription's currency. */
type Priced<T> = { readonly row: T; readonly currency: string; readonly dueMinor: bigint };
export type OfferedAddon = Priced<Row<'Addon'>>;
export type OfferedPack = Priced<Row<'CreditPack'>>;

/** An add-on a customer has, and when it was switched on. */
export type HeldAddon = { readonly addon: Row<'Addon'>; readonly since: Date };

/** How many of a kind are offered at most. */
const offeredAtMost = 100;

/** What of a subscription decides about its purchases. */
type Buyer = Pick<SubscriptionRow, 'id' | 'customerId' | 'currency' | 'status'>;

/** Whether anything can be bought for a subscription now (SUB-21). */
export const canPurchase = ({ status }: Pick<SubscriptionRow, 'status'>): boolean =>
  statusRejections.purchase[status] === undefined;

/** The state as if a customer without a stored method had one: the first purchase of a free plan asks for it (PLT-31). */
export function withMethod(aggregate: Aggregate, subscriptionId: string): Aggregate {
  const { id: customerId, createdAt } = aggregate.customer;
  const subscription = aggregate.subscriptions.find(({ id }) => id === subscriptionId);
  const latest = aggregate.paymentMethods.findLast(({ removedAt }) => removedAt === null);
  const stored = subscription?.paymentMethodId ?? latest?.id ?? null;
  const methods =
    stored === null
      ? [{ ...anyMethod, id: 'pm', seq: 1n, customerId, createdAt, removedAt: null }]
      : aggregate.paymentMethods;
  const paymentMethodId = stored ?? 'pm';
  const subscriptions = aggregate.subscriptions.map((row) =>
    row.id === subscriptionId ? { ...row, paymentMethodId } : row,
  );
  return { ...aggregate, paymentMethods: methods, subscriptions };
}

/** What a command that was only decided would charge; null when it is rejected. */
function dueOf({ outcome, changes }: Decision): bigint | null {
  if (outcome.kind !== 'ok') return null;
  const [invoice] = changes.invoices.values();
  return invoice?.row.total ?? 0n;
}

/** Those of the goods that could be bought now, at what they would cost: the very decisions that would be made, not applied (PLT-32). */
async function priced<T>(
  ctx: Context,
  { id, customerId, currency }: Buyer,
  goods: readonly T[],
  commandOf: (row: T) => CommandInput,
): Promise<Priced<T>[]> {
  if (goods.length === 0) return [];
  const commands = goods.map(commandOf);
  const decisions = await withSnapshot(ctx, customerId, commands, ({ aggregate, now, deps }) => {
    const state = withMethod(aggregate, id);
    return commands.map((command) => decide(state, commandAt(command, now), deps));
  });
  return goods.flatMap((row, index) => {
    const decision = decisions[index];
    const dueMinor = decision === undefined ? null : dueOf(decision);
    return dueMinor === null ? [] : [{ row, currency, dueMinor }];
  });
}

/** Add-ons the subscription could have: not deleted, not active, of a compatible model, with a feature the plan lacks (PLT-32). */
export async function offeredAddons(ctx: Context, subscription: Buyer): Promise<OfferedAddon[]> {
  if (!canPurchase(subscription)) return [];
  const addons = await ctx.db.addon.findMany({
    where: { deletedAt: null },
    orderBy: { seq: 'asc' },
    take: offeredAtMost,
  });
  return priced(ctx, subscription, addons, ({ id }) => ({
    kind: 'addon.activate',
    subscriptionId: subscription.id,
    addonId: id,
  }));
}

/** Credit packs the subscription could buy; none unless its plan is paid for by credits. */
export async function offeredPacks(
  ctx: Context,
  subscription: Buyer & Pick<SubscriptionRow, 'planId'>,
): Promise<OfferedPack[]> {
  if (!canPurchase(subscription)) return [];
  const { consumptionModel } = await loadExistingRow(ctx, 'Plan', subscription.planId);
  if (consumptionModel !== 'credits') return [];
  const where = { deletedAt: null, isActive: true };
  const packs = await ctx.db.creditPack.findMany({ where, orderBy: { seq: 'asc' }, take: offeredAtMost });
  return priced(ctx, subscription, packs, ({ id }) => ({
    kind: 'credits.purchase',
    subscriptionId: subscription.id,
    creditPackId: id,
  }));
}

/** The add-ons that are switched on, the earliest first. */
export async function heldAddons(ctx: Context, { id }: Pick<SubscriptionRow, 'id'>): Promise<HeldAddon[]> {
  const where = { subscriptionId: id, status: 'active' } as const;
  const rows = await ctx.db.addonActivation.findMany({ where, orderBy: { seq: 'asc' } });
  return Promise.all(
    rows.map(async ({ addonId, createdAt }) => ({
      addon: await loadExistingRow(ctx, 'Addon', addonId),
      since: createdAt,
    })),
  );
}

/** Whether balance can be bought for the subscription now. */
export async function canTopUp(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'status' | 'planId'>,
): Promise<boolean> {
  if (!canPurchase(subscription)) return false;
  return (await loadExistingRow(ctx, 'Plan', subscription.planId)).consumptionModel === 'balance';
}
