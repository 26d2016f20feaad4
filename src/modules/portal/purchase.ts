import type { Context } from '../../context.ts';
import { activateAddon } from '../active-addons/activate.ts';
import { deactivateAddon } from '../active-addons/deactivate.ts';
import { purchaseCredits } from '../purchases/purchase-credits.ts';
import { topUpBalance } from '../purchases/top-up.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import { isProvided, type ProvidedCard, reread, shownSubscription, storeCard } from './pay.ts';

/** Buys with a card that is stored before it pays; without one the stored method does. Nothing is bought while the card waits for its holder. */
async function buy(
  ctx: Context,
  provided: ProvidedCard,
  purchase: (id: string) => Promise<unknown>,
): Promise<SubscriptionRow> {
  const subscription = await shownSubscription(ctx);
  const isReady = !isProvided(provided) || (await storeCard(ctx, subscription, provided));
  if (isReady) await purchase(subscription.id);
  return reread(ctx, subscription.id);
}

/** Buys a credit pack for the caller's subscription (CON-20). A card that was stored stays stored when the purchase is rejected. */
export const buyCredits = (
  ctx: Context,
  input: ProvidedCard & { readonly creditPackId: string },
): Promise<SubscriptionRow> =>
  buy(ctx, input, (subscriptionId) =>
    purchaseCredits(ctx, { subscriptionId, creditPackId: input.creditPackId }),
  );

/** Tops up the balance of the caller's subscription by an amount in minor units (CON-25); a card as with `buyCredits`. */
export const buyBalance = (
  ctx: Context,
  input: ProvidedCard & { readonly amount: number },
): Promise<SubscriptionRow> =>
  buy(ctx, input, (subscriptionId) => topUpBalance(ctx, { subscriptionId, amount: input.amount }));

/** Switches an add-on on for the caller's subscription (SUB-70, SUB-71); a card as with `buyCredits`. */
export const switchAddonOn = (
  ctx: Context,
  input: ProvidedCard & { readonly addonId: string },
): Promise<SubscriptionRow> =>
  buy(ctx, input, (subscriptionId) => activateAddon(ctx, { subscriptionId, addonId: input.addonId }));

/** Switches an add-on off for the caller's subscription (SUB-73). */
export const switchAddonOff = (
  ctx: Context,
  { addonId }: { readonly addonId: string },
): Promise<SubscriptionRow> =>
  buy(ctx, {}, (subscriptionId) => deactivateAddon(ctx, { subscriptionId, addonId }));
