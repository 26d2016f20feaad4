import type { Context } from '../../context.ts';
import { activateAddon } from '../active-addons/activate.ts';
import { deactivateAddon } from '../active-addons/deactivate.ts';
import { purchaseCredits } from '../purchases/purchase-credits.ts';
import { topUpBalance } from '../purchases/top-up.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';
import { type GivenCard, isGiven, reread, shownSubscription, storeCard } from './pay.ts';

/** Buys with a card that is stored before it pays; without one the stored method does. */
async function buy(context: Context, given: GivenCard, purchase: (id: string) => Promise<unknown>): Promise<SubscriptionRow> {
  const subscription = await shownSubscription(context);
  if (isGiven(given)) await storeCard(context, subscription, given);
  await purchase(subscription.id);
  return reread(context, subscription.id);
}

/** Buys a credit pack for the caller's subscription (CON-20). A card that was stored stays stored when the purchase is refused. */
export const buyCredits = (context: Context, input: GivenCard & { readonly creditPackId: string }): Promise<SubscriptionRow> =>
  buy(context, input, (id) => purchaseCredits(context, { id, creditPackId: input.creditPackId }));

/** Tops up the balance of the caller's subscription by an amount in minor units (CON-25); a card as with `buyCredits`. */
export const buyBalance = (context: Context, input: GivenCard & { readonly amount: number }): Promise<SubscriptionRow> =>
  buy(context, input, (id) => topUpBalance(context, { id, amount: input.amount }));

/** Switches an add-on on for the caller's subscription (SUB-70, SUB-71); a card as with `buyCredits`. */
export const switchAddonOn = (context: Context, input: GivenCard & { readonly addonId: string }): Promise<SubscriptionRow> =>
  buy(context, input, (id) => activateAddon(context, { id, addonId: input.addonId }));

/** Switches an add-on off for the caller's subscription (SUB-73). */
export const switchAddonOff = (context: Context, { addonId }: { readonly addonId: string }): Promise<SubscriptionRow> =>
  buy(context, {}, (id) => deactivateAddon(context, { id, addonId }));
