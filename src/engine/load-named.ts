// What commands name beyond the open state of their customers, which is to be read with it.
import type { Command, CustomerRow } from '../domain/subscription/aggregate.ts';

/** One customer and what is asked of it. */
export type Addressed = { readonly customerId: string; readonly command: Command };

/** Commands that can settle a market and currency. */
const countryKinds: readonly Command['kind'][] = ['subscription.create', 'start', 'checkout.pay', 'subscription.change_plan'];

/** What commands name beyond the open state of their customers: canceled subscriptions, also by their invoices, answered attempts, refunds, used credits, plans, prices and countable features. */
export function namedBy(addressed: readonly Addressed[]) {
  const subscriptions: string[] = [];
  const invoices: string[] = [];
  const transactions: string[] = [];
  const refunds: string[] = [];
  const plans: string[] = [];
  const planCodes: string[] = [];
  const prices: string[] = [];
  const credits: string[] = [];
  const featureCodes: string[] = [];
  const creditPacks: string[] = [];
  const addons: string[] = [];
  const grantedPlans: string[] = [];
  const typedCountries: string[] = [];
  let asksForCountries = false;
  for (const { command } of addressed) {
    if (command.kind === 'subscription.create') {
      const { planId, planCode, priceId, initialSeats } = command.selection;
      if (planId) plans.push(planId);
      if (planCode) planCodes.push(planCode);
      if (priceId) prices.push(priceId);
      featureCodes.push(...Object.keys(initialSeats ?? {}));
    } else if ('transactionId' in command) transactions.push(command.transactionId);
    else if (command.kind === 'invoice.mark') invoices.push(command.invoiceId);
    else if (command.kind === 'credit.revoke') credits.push(command.creditId);
    else if (command.kind === 'counts.change') featureCodes.push(...command.changes.map(({ featureCode }) => featureCode));
    else if ('subscriptionId' in command && command.subscriptionId !== null) subscriptions.push(command.subscriptionId);
    if (command.kind === 'subscription.change_plan' && command.request.newPlanId !== null) plans.push(command.request.newPlanId);
    if (command.kind === 'transaction.refund') refunds.push(command.refundId);
    if (command.kind === 'credits.purchase') creditPacks.push(command.creditPackId);
    if (command.kind === 'addon.activate' || command.kind === 'addon.deactivate') addons.push(command.addonId);
    if (command.kind === 'grant.create') grantedPlans.push(command.planId);
    asksForCountries ||= countryKinds.includes(command.kind);
    if (command.kind === 'checkout.pay' && command.billingAddress?.country) typedCountries.push(command.billingAddress.country);
  }
  return {
    subscriptions,
    invoices,
    transactions,
    refunds,
    plans: [...plans, ...grantedPlans],
    grantedPlans,
    planCodes,
    prices,
    featureCodes,
    creditPacks,
    addons,
    credits,
    typedCountries,
    asksForCountries,
  };
}

/** What commands name. */
export type Named = ReturnType<typeof namedBy>;

/** The countries prices can be asked for in: while nothing is fixed yet, those of the payers and those typed in at a checkout (CAT-31). */
export function countriesFor(customers: readonly CustomerRow[], named: Named): string[] {
  if (!named.asksForCountries) return [];
  const own = customers.flatMap(({ country }) => (country === null ? [] : [country]));
  return [...new Set([...own, ...named.typedCountries])];
}
