// Effects of a paid purchase (CON-20, CON-25, SUB-71).

import { minorToRate } from '../../money/money.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { balanceToppedUp, creditsPurchased } from '../../usage/event-data.ts';
import { purchaseCredits, topUpBalance } from '../../usage/pools.ts';
import { beginAddon } from '../allowances/addon-effects.ts';
import { applyRaise, moveAccount } from '../allowances/allowance.ts';
import type { Draft } from '../state/draft.ts';

function addCredits(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  const { purchase } = invoice;
  if (purchase === null || !('credits' in purchase))
    throw new Error(`The invoice ${invoice.id} does not say which credits it buys.`);
  const account = applyRaise(draft, subscription);
  const bought = purchaseCredits(account, BigInt(purchase.credits));
  moveAccount(draft, subscription, bought, { sourceId: invoice.id, description: purchase.creditPackName });
  draft.emit(creditsPurchased({ customer: draft.customer, subscription }, invoice, purchase));
}

function addBalance(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  const amountRate = minorToRate(invoice.subtotal, invoice.currency);
  const account = applyRaise(draft, subscription);
  moveAccount(draft, subscription, topUpBalance(account, amountRate), {
    sourceId: invoice.id,
    description: null,
  });
  draft.emit(balanceToppedUp({ customer: draft.customer, subscription }, invoice, amountRate));
}

function addAddon(draft: Draft, subscription: SubscriptionRow, { id, purchase, subtotal }: InvoiceRow): void {
  if (purchase === null || !('addonId' in purchase))
    throw new Error(`The invoice ${id} does not say which add-on it buys.`);
  beginAddon(draft, subscription, { addonId: purchase.addonId, proratedMinor: subtotal, invoiceId: id });
}

/** Applies a paid purchase and emits its events. */
export function fulfil(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  if (invoice.type === 'credit_purchase') addCredits(draft, subscription, invoice);
  else if (invoice.type === 'balance_topup') addBalance(draft, subscription, invoice);
  else if (invoice.type === 'addon_activation') addAddon(draft, subscription, invoice);
  else throw new Error(`The invoice ${invoice.id} of type ${invoice.type} buys nothing.`);
}
