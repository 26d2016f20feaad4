// Limits on operations that every organization has.
import { limitWindow } from './limit.ts';
import type { OperationLimit } from './operation-limits.ts';

/** Limit that every organization has. */
type SystemLimit = OperationLimit & { readonly amount: bigint };

const systemLimit = (
  operations: readonly string[],
  window: OperationLimit['window'],
  amount: bigint,
): SystemLimit => ({
  id: null,
  name: null,
  setBy: 'system',
  measure: 'calls',
  operations,
  window,
  amount,
  action: 'block',
});

const hour = limitWindow('rolling', { minutes: 60 });

/** Payment attempts of a customer in the portal on a UTC date, in the environment's time (BIL-47). */
export const portalRetries = systemLimit(['payer_retry'], limitWindow('day', { timeZone: 'UTC' }), 3n);

/** Payment attempts of payers on hosted pages for a subscription (BIL-42). */
export const payerAttempts = systemLimit(['payer_retry', 'recovery_pay'], hour, 10n);

/** New purchases at a pricing table (CAT-65). */
export const pricingPurchases = systemLimit(['pricing_purchase'], hour, 300n);

/** Emails with a portal link that are sent to a customer on request, in real time (PLT-115). */
export const portalLinks: readonly OperationLimit[] = [
  systemLimit(['portal_link'], hour, 5n),
  systemLimit(['portal_link'], limitWindow('rolling', { minutes: 1_440 }), 20n),
];

/** Operations of a customer that the limits of an organization can count. */
export const customerOperations = ['credits_purchase', 'balance_topup'] as const;

export type CustomerOperation = (typeof customerOperations)[number];
