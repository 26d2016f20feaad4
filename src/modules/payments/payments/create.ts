import { QuittanceError } from '../../../domain/errors/errors.ts';
import { paymentLinkEvent } from '../../../domain/events/payment-link-data.ts';
import { newPayment, type PaymentTerms, type Routing } from '../../../domain/payments/payment.ts';
import type { CardSaving } from '../../../domain/rows/payment-rows.ts';
import { linkRejection } from '../../../domain/subscription/payments/payment-links.ts';
import { untaxed } from '../../../domain/tax/tax.ts';
import { executeOne } from '../../../engine/execute.ts';
import { loadSeller } from '../../../engine/load/seller.ts';
import { insertRows } from '../../../platform/db/bulk.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq, recordEvents } from '../../../request/transaction.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { connectionFor, parseProvider } from '../connections/set-route.ts';
import { termsOf } from './rules.ts';
import { type PaymentRow, requirePayment } from './store.ts';

/** Payment link parameters. `amount` is the amount before tax in minor units, at least 1. */
export type CreatePaymentInput = {
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly customerId?: string | null | undefined;
  /** Provider name or connection ID. Defaults to the connection for the payer's country, falling back to the default connection (PAY-13). */
  readonly provider?: string | null | undefined;
  readonly successUrl?: string | null | undefined;
  /** Setting that determines whether the card is saved (PAY-8). Defaults to `always`. */
  readonly saveCard?: CardSaving | null | undefined;
  readonly metadata?: Record<string, string> | null | undefined;
};

/**
 * Creates a payment link (PAY-2) and sends `payment_link.created`. If the customer is known, the tax is calculated immediately. Throws
 * `customer_not_found`, `payment_failed` if the tax can't be calculated, and `provider_unsupported` if the provider is unknown or, in the live
 * environment, no payment provider is configured.
 */
export async function createPayment(ctx: Context, input: CreatePaymentInput): Promise<PaymentRow> {
  const terms = termsOf(newId('pay'), input);
  const { successUrl = null, saveCard } = input;
  const about = { successUrl, saveCard: saveCard ?? ('always' as const) };
  const customer =
    input.customerId == null ? null : await requireCustomer(ctx, input.customerId, 'customerId');
  const routing = await routingOf(ctx, input.provider, customer?.country ?? null);
  if (customer === null) await createUnassigned(ctx, terms, { ...about, ...routing });
  else await executeOne(ctx, customer.id, { kind: 'payment.create', ...terms, ...about, routing });
  return requirePayment(ctx, terms.paymentId);
}

/**
 * Returns the requested connection with its provider. If the request doesn't specify a provider, returns the provider currently used for the
 * customer's country.
 */
async function routingOf(
  ctx: Context,
  named: string | null | undefined,
  country: string | null,
): Promise<Routing> {
  const { provider, connectionId = null } = await parseProvider(ctx, named);
  const connection = await connectionFor(ctx, { provider, connectionId }, country);
  return { provider: connection?.provider ?? 'platform', namedProvider: provider, connectionId };
}

/**
 * Creates a link without a customer. No other row needs to be locked, because the link belongs to no
 * customer until it's paid.
 */
const createUnassigned = (
  ctx: Context,
  terms: PaymentTerms,
  more: Routing & Pick<PaymentRow, 'successUrl' | 'saveCard'>,
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
