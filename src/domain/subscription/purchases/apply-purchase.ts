// Effects of a paid purchase (CON-20, CON-25, PRM-24, SUB-71).

import { purchaseUnits, topUpBalance } from '../../lots/movements.ts';
import { minorToRate } from '../../money/money.ts';
import { creditsPool } from '../../pricing/pools.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { addDays } from '../../time/period.ts';
import { balanceToppedUp, creditsPurchased } from '../../usage/event-data.ts';
import { beginAddon } from '../allowances/addon-effects.ts';
import { applyRaise, moveAccount } from '../allowances/allowance.ts';
import { countAddon } from '../invoicing/minimum-spend.ts';
import type { Draft } from '../state/draft.ts';
import { addCommitment } from './commitments.ts';

function addCredits(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  const { purchase } = invoice;
  if (purchase !== null && 'commitment' in purchase) {
    addCommitment(draft, subscription, invoice, purchase);
    return;
  }
  if (purchase === null || !('credits' in purchase))
    throw new Error(`The invoice ${invoice.id} does not say which credits it buys.`);
  const account = applyRaise(draft, subscription);
  const { creditPackName, validDays, asset = creditsPool } = purchase;
  const expiresAt = validDays === undefined ? null : addDays(draft.now, validDays);
  const payment = {
    sourceId: invoice.id,
    description: creditPackName,
    paidMinor: invoice.subtotal,
    expiresAt,
  };
  const bought = purchaseUnits(account, asset, BigInt(purchase.credits), payment);
  moveAccount(draft, subscription, bought, payment);
  draft.emit(creditsPurchased({ customer: draft.customer, subscription }, invoice, purchase));
}

function addBalance(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  const amountRate = minorToRate(invoice.subtotal, invoice.currency);
  const account = applyRaise(draft, subscription);
  const payment = { sourceId: invoice.id, description: null, paidMinor: invoice.subtotal };
  moveAccount(draft, subscription, topUpBalance(account, amountRate, payment), payment);
  draft.emit(balanceToppedUp({ customer: draft.customer, subscription }, invoice, amountRate));
}

function addAddon(draft: Draft, subscription: SubscriptionRow, { id, purchase, subtotal }: InvoiceRow): void {
  if (purchase === null || !('addonId' in purchase))
    throw new Error(`The invoice ${id} does not say which add-on it buys.`);
  countAddon(draft, subscription, { subtotal });
  beginAddon(draft, subscription, { addonId: purchase.addonId, proratedMinor: subtotal, invoiceId: id });
}

/** Applies a paid purchase and emits its events. */
export function fulfil(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  if (invoice.type === 'credit_purchase') addCredits(draft, subscription, invoice);
  else if (invoice.type === 'balance_topup') addBalance(draft, subscription, invoice);
  else if (invoice.type === 'addon_activation') addAddon(draft, subscription, invoice);
  else throw new Error(`The invoice ${invoice.id} of type ${invoice.type} buys nothing.`);
}
