import type { Context } from '../../context.ts';
import type { Aggregate, Command, Decision } from '../../domain/subscription/aggregate.ts';
import { decide } from '../../domain/subscription/decide.ts';
import { statusRefusals } from '../../domain/subscription/state.ts';
import { askAbout } from '../../engine/ask.ts';
import type { Order } from '../../engine/execute.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';

/** Something a customer can buy beside the plan: what it costs at once, tax included, minor units of the subscription's currency. */
type Priced<T> = { readonly row: T; readonly currency: string; readonly dueMinor: bigint };
export type OfferedAddon = Priced<Row<'Addon'>>;
export type OfferedPack = Priced<Row<'CreditPack'>>;

/** An add-on a customer has, and when it was switched on. */
export type HeldAddon = { readonly addon: Row<'Addon'>; readonly since: Date };

/** How many of a kind are offered at most. */
const offeredAtMost = 100;

/** Whether anything can be bought for a subscription now (SUB-21). */
export const canPurchase = ({ status }: SubscriptionRow): boolean => statusRefusals.purchase[status] === undefined;

/** A state in which whoever has no stored method had one: the first purchase of a free plan asks for it (PLT-31). */
function withMethod(aggregate: Aggregate): Aggregate {
  if (aggregate.paymentMethods.length > 0) return aggregate;
  const { id: customerId, createdAt } = aggregate.customer;
  const card = { reference: '', provider: 'platform', brand: '', last4: '', bin: null, expMonth: 1, expYear: 1 } as const;
  return { ...aggregate, paymentMethods: [{ ...card, id: 'pm', seq: 1n, customerId, createdAt }] };
}

/** What an order that was only decided would charge; null when it is refused. */
function dueOf({ outcome, changes }: Decision): bigint | null {
  if (outcome.kind !== 'ok') return null;
  const [invoice] = changes.invoices.values();
  return invoice?.row.total ?? 0n;
}

/** Those of the goods that could be bought now, at what they would cost: the very decisions that would be made, not applied (PLT-32). */
async function priced<T>(
  context: Context,
  { customerId, currency }: SubscriptionRow,
  goods: readonly T[],
  orderOf: (row: T) => Order,
): Promise<Priced<T>[]> {
  if (goods.length === 0) return [];
  const orders = goods.map(orderOf);
  const decisions = await askAbout(context, customerId, orders, ({ aggregate, now, tools }) => {
    const state = withMethod(aggregate);
    // An order is a command without the two fields added here.
    return orders.map((order) => decide(state, { ...order, dueAt: now, now } as Command, tools));
  });
  return goods.flatMap((row, index) => {
    const decision = decisions[index];
    const dueMinor = decision === undefined ? null : dueOf(decision);
    return dueMinor === null ? [] : [{ row, currency, dueMinor }];
  });
}

/** Add-ons the subscription could have: not deleted, not active, of a compatible model, with a feature the plan lacks (PLT-32). */
export async function offeredAddons(context: Context, subscription: SubscriptionRow): Promise<OfferedAddon[]> {
  if (!canPurchase(subscription)) return [];
  const addons = await context.db.addon.findMany({ where: { deletedAt: null }, orderBy: { seq: 'asc' }, take: offeredAtMost });
  return priced(context, subscription, addons, ({ id }) => ({ kind: 'addon.activate', subscriptionId: subscription.id, addonId: id }));
}

/** Credit packs the subscription could buy; none unless its plan is paid for by credits. */
export async function offeredPacks(context: Context, subscription: SubscriptionRow): Promise<OfferedPack[]> {
  if (!canPurchase(subscription)) return [];
  const { consumptionModel } = await loadExistingRow(context, 'Plan', subscription.planId);
  if (consumptionModel !== 'credits') return [];
  const where = { deletedAt: null, isActive: true };
  const packs = await context.db.creditPack.findMany({ where, orderBy: { seq: 'asc' }, take: offeredAtMost });
  return priced(context, subscription, packs, ({ id }) => ({
    kind: 'credits.purchase',
    subscriptionId: subscription.id,
    creditPackId: id,
  }));
}

/** The add-ons that are switched on, the earliest first. */
export async function heldAddons(context: Context, { id }: SubscriptionRow): Promise<HeldAddon[]> {
  const where = { subscriptionId: id, status: 'active' } as const;
  const rows = await context.db.addonActivation.findMany({ where, orderBy: { seq: 'asc' } });
  return Promise.all(
    rows.map(async ({ addonId, createdAt }) => ({ addon: await loadExistingRow(context, 'Addon', addonId), since: createdAt })),
  );
}

/** Whether balance can be bought for the subscription now. */
export async function canTopUp(context: Context, subscription: SubscriptionRow): Promise<boolean> {
  if (!canPurchase(subscription)) return false;
  return (await loadExistingRow(context, 'Plan', subscription.planId)).consumptionModel === 'balance';
}
