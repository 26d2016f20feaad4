import type { Context } from '../../../request/context.ts';
import { activateAddon } from '../../subscriptions/active-addons/activate.ts';
import { deactivateAddon } from '../../subscriptions/active-addons/deactivate.ts';
import { purchaseCredits } from '../../subscriptions/purchases/purchase-credits.ts';
import { topUpBalance } from '../../subscriptions/purchases/top-up.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { isProvided, type ProvidedCard, reread, shownSubscription, storeCard } from './pay.ts';

/**
 * Makes a purchase with a new card, which is stored first, or with the stored payment method. If the new card requires authentication, the
 * purchase isn't made.
 */
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

/** Purchases a credit pack for the caller's subscription (CON-20). If the purchase is rejected, a new card remains stored. */
export const buyCredits = (
  ctx: Context,
  input: ProvidedCard & { readonly creditPackId: string },
): Promise<SubscriptionRow> =>
  buy(ctx, input, (subscriptionId) =>
    purchaseCredits(ctx, { subscriptionId, creditPackId: input.creditPackId }),
  );

/** Tops up the balance of the caller's subscription by an amount in minor units (CON-25). A new card is stored as in `buyCredits`. */
export const buyBalance = (
  ctx: Context,
  input: ProvidedCard & { readonly amount: number },
): Promise<SubscriptionRow> =>
  buy(ctx, input, (subscriptionId) => topUpBalance(ctx, { subscriptionId, amount: input.amount }));

/** Adds an add-on to the caller's subscription (SUB-70, SUB-71). A new card is stored as in `buyCredits`. */
export const switchAddonOn = (
  ctx: Context,
  input: ProvidedCard & { readonly addonId: string },
): Promise<SubscriptionRow> =>
  buy(ctx, input, (subscriptionId) => activateAddon(ctx, { subscriptionId, addonId: input.addonId }));

/** Removes an add-on from the caller's subscription (SUB-73). */
export const switchAddonOff = (
  ctx: Context,
  { addonId }: { readonly addonId: string },
): Promise<SubscriptionRow> =>
  buy(ctx, {}, (subscriptionId) => deactivateAddon(ctx, { subscriptionId, addonId }));
