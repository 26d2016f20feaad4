// What a paid purchase puts in force (CON-20, CON-25, SUB-71).
import { balanceToppedUp, creditsPurchased } from '../consumption/event-data.ts';
import { purchaseCredits, topUpBalance } from '../consumption/pools.ts';
import { minorToRate } from '../money.ts';
import { beginAddon } from './addon-effects.ts';
import { applyRaise, moveAccount } from './allowance.ts';
import type { InvoiceRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

function addCredits(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  const { purchase } = invoice;
  if (purchase === null || !('credits' in purchase)) throw new Error(`The invoice ${invoice.id} does not say which credits it buys.`);
  const account = applyRaise(work, subscription);
  const bought = purchaseCredits(account, BigInt(purchase.credits));
  moveAccount(work, subscription, bought, { sourceId: invoice.id, description: purchase.creditPackName });
  work.emit(creditsPurchased({ customer: work.customer, subscription }, invoice, purchase));
}

function addBalance(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  const amountRate = minorToRate(invoice.subtotal, invoice.currency);
  const account = applyRaise(work, subscription);
  moveAccount(work, subscription, topUpBalance(account, amountRate), { sourceId: invoice.id, description: null });
  work.emit(balanceToppedUp({ customer: work.customer, subscription }, invoice, amountRate));
}

function addAddon(work: Work, subscription: SubscriptionRow, { id, purchase, subtotal }: InvoiceRow): void {
  if (purchase === null || !('addonId' in purchase)) throw new Error(`The invoice ${id} does not say which add-on it buys.`);
  beginAddon(work, subscription, { addonId: purchase.addonId, proratedMinor: subtotal, invoiceId: id });
}

/** Puts in force what a paid invoice buys, and tells of it. */
export function fulfil(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  if (invoice.type === 'credit_purchase') addCredits(work, subscription, invoice);
  else if (invoice.type === 'balance_topup') addBalance(work, subscription, invoice);
  else if (invoice.type === 'addon_activation') addAddon(work, subscription, invoice);
  else throw new Error(`The invoice ${invoice.id} of type ${invoice.type} buys nothing.`);
}
