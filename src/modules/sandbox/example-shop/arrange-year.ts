import type { ShopCustomer } from './read-shop.ts';

// Sign-ups and actions of the example year. A customer's position in the data file determines the weeks, so every run is the same.

/** Action of a customer or of the organization's staff. */
type ActionKind = 'upgrade' | 'cancel' | 'refund' | 'credit' | 'addon';

export type Action = { readonly kind: ActionKind; readonly externalId: string; readonly plan?: string };

/** Promo code for new customers in the second half of the year. */
export const promoCode = 'WELCOME20';

/** Add-on that some customers buy, and the feature that the add-on contains. */
export const supportAddon = { slug: 'priority-support', featureCode: 'priority_support' } as const;

const lastWeek = 50;

/** Number of customers who join in the first week. */
const first = 20;

/** Returns the week in which a customer joins. The number of sign-ups per week grows over the year. */
function weekOf(index: number, count: number): number {
  if (index < first) return 0;
  const share = (index - first) / Math.max(1, count - first);
  // The number of customers at time t, from 0 to 1, grows with 0.5 t + 0.5 t².
  return Math.floor(lastWeek * (Math.sqrt(0.25 + 2 * share) - 0.5));
}

/** Returns a customer as they join: some use the promo code, and some have a card whose payments are disputed. */
function joiningAs(customer: ShopCustomer, index: number, week: number): ShopCustomer {
  const isPaid = customer.card === 'good';
  return {
    ...customer,
    ...(isPaid && week > 20 && index % 5 === 0 && { promoCode }),
    ...(isPaid && customer.interval === 'yearly' && index % 6 === 0 && { card: 'disputes' }),
  };
}

/** Returns the customers who join in a week. */
export const joiningIn = (customers: readonly ShopCustomer[], week: number): ShopCustomer[] =>
  customers.flatMap((customer, index) =>
    weekOf(index, customers.length) === week ? [joiningAs(customer, index, week)] : [],
  );

/** Returns the action of a paying customer in a week after joining. */
function actionOf({ plan, interval, externalId }: ShopCustomer, index: number, age: number): Action | null {
  if (plan === 'pro' && interval !== 'yearly' && index % 4 === 1 && age === 10)
    return { kind: 'upgrade', externalId, plan: 'team' };
  if (plan === 'team' && index % 5 === 4 && age === 20) return { kind: 'upgrade', externalId, plan: 'scale' };
  if (index % 9 === 7 && age === 6 + (index % 12)) return { kind: 'cancel', externalId };
  if (index % 19 === 3 && age === 4) return { kind: 'refund', externalId };
  if (index % 13 === 5 && age === 8) return { kind: 'credit', externalId };
  if ((plan === 'pro' || plan === 'team') && index % 6 === 2 && age === 3)
    return { kind: 'addon', externalId };
  return null;
}

/** Returns the actions in a week. Only customers whose card always succeeds act. */
export const actionsIn = (customers: readonly ShopCustomer[], week: number): Action[] =>
  customers.flatMap((customer, index) => {
    const action =
      customer.card === 'good' ? actionOf(customer, index, week - weekOf(index, customers.length)) : null;
    return action === null ? [] : [action];
  });
