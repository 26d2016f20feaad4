import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { paymentLinkEvent } from '../../domain/payments/event-data.ts';
import { newPayment, type PaymentTerms, type Routing } from '../../domain/payments/payment.ts';
import { linkRejection } from '../../domain/subscription/payments/payment-links.ts';
import { untaxed } from '../../domain/tax.ts';
import { executeOne } from '../../engine/execute.ts';
import { loadSeller } from '../../engine/load-seller.ts';
import { insertRows } from '../../platform/db/bulk.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq, recordEvents } from '../../transaction.ts';
import { requireCustomer } from '../customers/store.ts';
import { connectionFor, wishOf } from '../payment-connections/set-route.ts';
import { termsOf } from './rules.ts';
import { type PaymentRow, requirePayment } from './store.ts';

/** What a link asks money for: minor units of the currency before tax, at least 1. */
export type CreatePaymentInput = {
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  /** Our id of the customer, else its external id. */
  readonly customerId?: string | null | undefined;
  /** A provider's name or the id of a connection; by the payer's country, else the default one, by default (PAY-13). */
  readonly provider?: string | null | undefined;
  readonly successUrl?: string | null | undefined;
  readonly metadata?: Record<string, string> | null | undefined;
};

/**
 * Makes a payment link (PAY-2), taxed at once when its customer is known, and sends `payment_link.created`. Throws `customer_not_found`,
 * `provider_unsupported`, also in live mode while nothing is set up that could charge, and `payment_failed` when the tax cannot be worked out.
 */
export async function createPayment(ctx: Context, input: CreatePaymentInput): Promise<PaymentRow> {
  const terms = termsOf(newId('pay'), input);
  const successUrl = input.successUrl ?? null;
  const customer =
    input.customerId == null ? null : await requireCustomer(ctx, input.customerId, 'customerId');
  const routing = await routingOf(ctx, input.provider, customer?.country ?? null);
  if (customer === null) await createUnassigned(ctx, terms, { successUrl, ...routing });
  else await executeOne(ctx, customer.id, { kind: 'payment.create', ...terms, successUrl, routing });
  return requirePayment(ctx, terms.paymentId);
}

/** The connection that was named, and whose provider it is or, by the country as it is now, would be. */
async function routingOf(
  ctx: Context,
  named: string | null | undefined,
  country: string | null,
): Promise<Routing> {
  const { provider, connectionId = null } = await wishOf(ctx, named);
  const connection = await connectionFor(ctx, { provider, connectionId }, country);
  return { provider: connection?.provider ?? 'platform', namedProvider: provider, connectionId };
}

/** A link without customer is a row of its own until it is paid. */
const createUnassigned = (
  ctx: Context,
  terms: PaymentTerms,
  more: Routing & { readonly successUrl: string | null },
): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const rejection = linkRejection((await loadSeller(tx)).processors, more);
    if (rejection !== null) throw new QuittanceError(rejection);
    const now = tx.clock.now();
    const about = { kind: 'link', customerId: null, tax: untaxed, ...more } as const;
    const payment = newPayment(terms, about, now);
    await insertRows(tx.sql, 'Payment', [{ ...payment, seq: await nextSeq(tx) }]);
    await recordEvents(tx, [
      { ...paymentLinkEvent('payment_link.created', payment, null), customerId: null, occurredAt: now },
    ]);
  });
