import { defaultInstrument } from '../../../domain/payments/instruments/registry.ts';
import { isCustom, poolsOf } from '../../../domain/pricing/pools.ts';
import { decide } from '../../../domain/subscription/decision/decide.ts';
import { anyMethod } from '../../../domain/subscription/payments/checkout-quote.ts';
import type { Aggregate, Decision } from '../../../domain/subscription/state/aggregate.ts';
import { statusRejections } from '../../../domain/subscription/state/transitions.ts';
import { hasBalance } from '../../../domain/usage/contract-view.ts';
import { type CommandInput, commandAt } from '../../../engine/execute.ts';
import { withSnapshot } from '../../../engine/preview/with-snapshot.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { addonActivate } from '../../subscriptions/active-addons/mutations.ts';
import { creditsPurchase } from '../../subscriptions/purchases/mutations.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { type AddonUnits, loadAddonUnits } from '../offered-rates/load.ts';

/** Purchasable item with its price including tax, in minor units of the subscription's currency. */
type Priced<T> = { readonly row: T; readonly currency: string; readonly dueMinor: bigint };
/** Add-on that can be added, with its units. */
export type OfferedAddon = Priced<Row<'Addon'>> & AddonUnits;
export type OfferedPack = Priced<Row<'CreditPack'>>;

/** Active add-on of a customer, with the time of activation and its units. */
export type HeldAddon = AddonUnits & { readonly addon: Row<'Addon'>; readonly since: Date };

/** Maximum number of add-ons, and of credit packs, to offer in the portal. */
const maxOffered = 100;

/** Subscription columns that determine the available purchases. */
type Buyer = Pick<SubscriptionRow, 'id' | 'customerId' | 'currency' | 'status'>;

/** Subscription columns that determine the terms of an add-on. */
type AddonBuyer = Pick<SubscriptionRow, 'currency' | 'marketId' | 'planId' | 'termsFrom'>;

/** True if the subscription currently allows purchases (SUB-21). */
export const canPurchase = ({ status }: Pick<SubscriptionRow, 'status'>): boolean =>
  statusRejections.purchase[status] === undefined;

/**
 * Adds a payment method to the simulated state of a customer without a payment method. On a free plan, the first purchase requires a card
 * (PLT-31).
 */
export function withMethod(aggregate: Aggregate, subscriptionId: string): Aggregate {
  const { id: customerId, createdAt } = aggregate.customer;
  const subscription = aggregate.subscriptions.find(({ id }) => id === subscriptionId);
  const latest = aggregate.paymentMethods.findLast(({ removedAt }) => removedAt === null);
  const stored = subscription?.paymentMethodId ?? latest?.id ?? null;
  const methods =
    stored === null
      ? [
          {
            ...anyMethod,
            instrument: defaultInstrument,
            id: 'pm',
            seq: 1n,
            customerId,
            createdAt,
            removedAt: null,
          },
        ]
      : aggregate.paymentMethods;
  const paymentMethodId = stored ?? 'pm';
  const subscriptions = aggregate.subscriptions.map((row) =>
    row.id === subscriptionId ? { ...row, paymentMethodId } : row,
  );
  return { ...aggregate, paymentMethods: methods, subscriptions };
}

/** Returns the amount that a command would charge. `null` if the command is rejected. */
function dueOf({ outcome, changes }: Decision): bigint | null {
  if (outcome.kind !== 'ok') return null;
  const [invoice] = changes.invoices.values();
  return invoice?.row.total ?? 0n;
}

/** Returns the items that can be purchased now, with their prices. Each purchase is simulated in memory (PLT-32). */
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

/**
 * Returns the add-ons that can be added to the subscription (PLT-32). Excludes add-ons that are deleted, already
 * active, or of an incompatible type, and add-ons for a feature that the plan includes.
 */
export async function offeredAddons(ctx: Context, subscription: Buyer & AddonBuyer): Promise<OfferedAddon[]> {
  if (!canPurchase(subscription)) return [];
  const addons = await ctx.db.addon.findMany({
    where: { deletedAt: null },
    orderBy: { seq: 'asc' },
    take: maxOffered,
  });
  const offered = await priced(ctx, subscription, addons, ({ id }) =>
    addonActivate.command({ subscriptionId: subscription.id, addonId: id }),
  );
  const now = ctx.clock.now();
  return Promise.all(
    offered.map(async (addon) => ({
      ...addon,
      ...(await loadAddonUnits(ctx, subscription, addon.row, now)),
    })),
  );
}

/** Returns the credit packs that the subscription can purchase. Empty if the plan has no pool of a custom unit. */
export async function offeredPacks(
  ctx: Context,
  subscription: Buyer & Pick<SubscriptionRow, 'planId'>,
): Promise<OfferedPack[]> {
  if (!canPurchase(subscription)) return [];
  const pools = poolsOf(await loadExistingRow(ctx, 'Plan', subscription.planId));
  const assets = pools.map(({ pool }) => pool).filter(isCustom);
  if (assets.length === 0) return [];
  const where = { deletedAt: null, isActive: true, asset: { in: assets } };
  const packs = await ctx.db.creditPack.findMany({ where, orderBy: { seq: 'asc' }, take: maxOffered });
  return priced(ctx, subscription, packs, ({ id }) =>
    creditsPurchase.command({ subscriptionId: subscription.id, creditPackId: id }),
  );
}

/** Returns the subscription's active add-ons, oldest first. */
export async function heldAddons(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'id'> & AddonBuyer,
): Promise<HeldAddon[]> {
  const where = { subscriptionId: subscription.id, status: 'active' } as const;
  const rows = await ctx.db.addonActivation.findMany({ where, orderBy: { seq: 'asc' } });
  return Promise.all(
    rows.map(async ({ addonId, createdAt: since }) => {
      const addon = await loadExistingRow(ctx, 'Addon', addonId);
      return { addon, since, ...(await loadAddonUnits(ctx, subscription, addon, since)) };
    }),
  );
}

/** True if the balance of the subscription can currently be topped up. */
export async function canTopUp(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'status' | 'planId'>,
): Promise<boolean> {
  if (!canPurchase(subscription)) return false;
  return hasBalance(await loadExistingRow(ctx, 'Plan', subscription.planId));
}
