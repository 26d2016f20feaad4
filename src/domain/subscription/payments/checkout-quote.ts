// What an open checkout would charge a payer at an address, before anything is paid (BIL-20, OFR-26 line 8).
import { type Rejection, specificRejection } from '../../errors.ts';
import { TaxNotComputedError } from '../../tax.ts';
import { abandonAuthentication } from '../invoicing/charging.ts';
import { pricedFor } from '../invoicing/checkout-pricing.ts';
import { taxedFor } from '../invoicing/checkout-tax.ts';
import { enterPromoCode } from '../invoicing/reprice.ts';
import { taxRejection, typedPayer } from '../invoicing/taxing.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { changeLocated, noCodeForChange, openChange } from '../plan-change/change-checkout.ts';
import { boundPrice, invoiceOf, quotedOffer } from '../pricing/lookup.ts';
import type { Aggregate, DecisionDeps } from '../state/aggregate.ts';
import { Draft } from '../state/draft.ts';
import { statusRejection } from '../state/rejections.ts';
import type {
  Address,
  InvoiceLineRow,
  InvoiceRow,
  MethodDetails,
  OfferApplicationRow,
  SubscriptionRow,
} from '../state/rows.ts';
import { checkoutAnswered } from './checkout.ts';

/** What a payer has typed in so far; null for what was not. */
export type TypedAtCheckout = {
  readonly billingAddress: Address | null;
  readonly taxDocument: string | null;
  readonly promoCode: string | null;
};

/** An open checkout as it would be paid. */
export type QuotedCheckout = {
  /** On the plan, price and currency it leads to. */
  readonly subscription: SubscriptionRow;
  /**
   * List price per interval, minor units of its currency; null on free plans and where it is no longer sold.
   */
  readonly priceMinor: bigint | null;
  /** The terms it is quoted with. */
  readonly offer: OfferApplicationRow | null;
  /** What would be charged; null where a method is only stored. */
  readonly invoice: InvoiceRow | null;
  /** The lines of an invoice that would be issued again; null for the one that is stored. */
  readonly lines: readonly InvoiceLineRow[] | null;
  /** The customer's billing state once it is paid. */
  readonly paid: Aggregate;
};

/** A placeholder where a method is required. */
export const anyMethod: MethodDetails = {
  reference: '',
  provider: 'platform',
  brand: '',
  last4: '',
  bin: null,
  expMonth: 1,
  expYear: 1,
};

/**
 * What an open checkout would charge anyone who typed this in, by any card but one a promotion is for.
 * Changes nothing. Rejects what paying would reject before the card is checked.
 */
export function quoteCheckout(
  aggregate: Aggregate,
  {
    subscriptionId,
    now,
    ...typed
  }: TypedAtCheckout & { readonly subscriptionId: string; readonly now: Date },
  deps: DecisionDeps,
): QuotedCheckout | Rejection {
  const draft = new Draft(aggregate, { dueAt: now, now }, deps);
  const subscription = draft.subscriptions.find(subscriptionId);
  if (subscription === null)
    return specificRejection('subscription_not_found', 'missing', { values: { missing: subscriptionId } });
  try {
    const priced = pricedAs(draft, subscription, typed);
    return 'code' in priced ? priced : quoted(draft, priced, typed);
  } catch (error) {
    if (error instanceof TaxNotComputedError) return taxRejection(error);
    throw error;
  }
}

/** The priced checkout, and the state after its payment. Pays it in a draft that is dropped. */
function quoted(
  draft: Draft,
  priced: SubscriptionRow,
  { billingAddress, taxDocument }: TypedAtCheckout,
): QuotedCheckout {
  const invoice = priced.checkoutInvoiceId === null ? null : invoiceOf(draft, priced.checkoutInvoiceId);
  const isNew = invoice !== null && draft.invoices.changes.get(invoice.id)?.flag === 'new';
  const offer = quotedOffer(draft, priced);
  const subscription = asLedTo(priced, invoice);
  const price = subscription.priceId === null ? null : boundPrice(draft, subscription);
  const about = invoice !== null && changeOf(invoice) !== null ? { changeInvoiceId: invoice.id } : {};
  const attempt = {
    attemptId: '',
    transactionId: null,
    state: 'asked',
    method: anyMethod,
    billingAddress,
    taxDocument,
    ...about,
  } as const;
  abandonAuthentication(draft, priced.pendingCheckout);
  const { aggregate: paid } = checkoutAnswered(draft, priced, attempt, { status: 'settled' });
  return {
    subscription,
    priceMinor: price === null || 'failure' in price ? null : price.amountMinor,
    offer,
    invoice,
    lines: isNew ? draft.lines.filter(({ invoiceId }) => invoiceId === invoice.id) : null,
    paid,
  };
}

/**
 * The subscription on the plan and price its open checkout leads to, where that is for a change of plan
 * (SUB-47).
 */
export function asLedTo<
  T extends Pick<SubscriptionRow, 'planId' | 'priceId' | 'billingInterval' | 'currency' | 'marketId'>,
>(subscription: T, invoice: Pick<InvoiceRow, 'purchase'> | null): T {
  const change = invoice === null ? null : changeOf(invoice);
  if (change === null) return subscription;
  const { toPlanId: planId, priceId, billingInterval, currency, marketId } = change;
  return { ...subscription, planId, priceId, billingInterval, currency, marketId };
}

function pricedAs(
  draft: Draft,
  subscription: SubscriptionRow,
  typed: TypedAtCheckout,
): SubscriptionRow | Rejection {
  const { billingAddress, taxDocument, promoCode } = typed;
  draft.payer = typedPayer(draft.customer, { billingAddress, taxDocument });
  const country = billingAddress?.country ?? draft.customer.country;
  const change = openChange(draft, subscription);
  if (change !== null)
    return promoCode === null ? changeLocated(draft, subscription, change, country) : noCodeForChange;
  const rejection = statusRejection('checkout', subscription);
  if (rejection !== null) return rejection;
  const located = pricedFor(draft, subscription, country);
  if ('code' in located) return located;
  const priced = promoCode === null ? located : enterPromoCode(draft, located, promoCode);
  return 'code' in priced ? priced : taxedFor(draft, priced);
}
