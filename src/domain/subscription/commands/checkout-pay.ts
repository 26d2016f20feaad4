import type { Rejection } from '../../errors.ts';
import { abandonAuthentication, requestCharge, requestSetup } from '../invoicing/charging.ts';
import { pricedFor } from '../invoicing/checkout-pricing.ts';
import { taxedFor } from '../invoicing/checkout-tax.ts';
import { isBelowMinimum } from '../invoicing/invoicing.ts';
import { discoverPromotion, enterPromoCode, lostQuote } from '../invoicing/reprice.ts';
import { countryRejection, typedPayer } from '../invoicing/taxing.ts';
import {
  isCodeCheckedAtSetup,
  type SavedMethod,
  savedMethodGone,
  savedMethodOf,
} from '../payments/saved-method.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { changeLocated, noCodeForChange, openChange } from '../plan-change/change-checkout.ts';
import { invoiceOf, isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, statusRejection } from '../state/rejections.ts';
import type { Address, InvoiceRow, MethodDetails, PendingCheckout, SubscriptionRow } from '../state/rows.ts';

type Input = OnSubscription & {
  readonly method: MethodDetails;
  /** The method where it is one the customer has stored; null for one that was typed in. */
  readonly saved?: SavedMethod | null;
  readonly billingAddress?: Address | null;
  readonly taxDocument?: string | null;
  /** The name of the company that buys, which invoices are made out to. */
  readonly companyName?: string | null;
  /** A promo code typed in, in any case (OFR-26 line 8). */
  readonly promoCode?: string | null;
  /** Whether the payer accepted the terms of the seller. */
  readonly consent?: boolean;
  /**
   * The attempt whose authentication was abandoned before, and taken back at a remote gateway. Null without
   * one.
   */
  readonly abandoned: string | null;
};

/**
 * Asks the gateway to charge the first invoice by the method typed in, or only to store it, at the price a
 * promo code typed in or the card leads to and with the tax of the address typed in. An open authentication
 * is abandoned if it is the one that was taken back.
 */
export const checkoutPay = subscriptionCommand({
  kind: 'checkout.pay',
  needs: ({ method, billingAddress, promoCode }: Input) => ({
    countries: [null, billingAddress?.country ?? null],
    offers: promoCode == null ? [] : [{ promoCode }],
    cards: [method.bin],
  }),
  decide(draft: Draft, subscription: SubscriptionRow, command: Input): Decision {
    const change = openChange(draft, subscription);
    const rejection = change === null ? statusRejection('checkout', subscription) : null;
    if (rejection !== null) return draft.reject(rejection);
    const { pendingCheckout } = subscription;
    // An authentication that was not taken back could still be passed, and take money.
    const isAwaited = pendingCheckout !== null && pendingCheckout.attemptId !== command.abandoned;
    if (isAwaited || isCharging(draft, subscription)) return draft.reject(chargeInProgress);
    const { method, billingAddress = null, taxDocument = null, promoCode = null } = command;
    draft.payer = typedPayer(draft.customer, { billingAddress, taxDocument });
    const missing = countryRejection(draft);
    if (missing !== null) return draft.reject(missing);
    const unusable = savedRejection(draft, subscription, command);
    if (unusable !== null) return draft.reject(unusable);
    const country = billingAddress?.country ?? draft.customer.country;
    if (change !== null) return payChange(draft, subscription, change, { ...command, country });
    const located = pricedFor(draft, subscription, country);
    if ('code' in located) return draft.reject(located);
    const priced = promoCode === null ? located : enterPromoCode(draft, located, promoCode);
    if ('code' in priced) return draft.reject(priced);
    abandonAuthentication(draft, subscription.pendingCheckout);
    const lost = lostQuote(draft, priced, method);
    if (lost !== null) return draft.reject(lost);
    const taxed = taxedFor(draft, discoverPromotion(draft, priced, method));
    return 'code' in taxed
      ? draft.reject(taxed)
      : attempt(draft, accepted(draft, taxed, command), { ...command, billingAddress, taxDocument });
  },
});

/** Why the stored method cannot be used at this checkout; null where it can, and for one that was typed in. */
function savedRejection(
  draft: Draft,
  { selection }: SubscriptionRow,
  { saved = null }: Pick<Input, 'saved'>,
): Rejection | null {
  if (saved === null) return null;
  const method = savedMethodOf(draft, saved, selection.wrongCodes);
  return 'code' in method ? method : null;
}

/** The subscription with the time its payer accepted the terms of the seller, where it did. */
const accepted = (
  draft: Draft,
  subscription: SubscriptionRow,
  { consent = false }: Pick<Input, 'consent'>,
): SubscriptionRow =>
  consent
    ? draft.subscriptions.patch(subscription.id, {
        selection: { ...subscription.selection, termsAcceptedAt: draft.now.toISOString() },
      })
    : subscription;

type ChangePayment = Input & { readonly country: string | null };

/** Pays for a plan change, which neither a promo code nor a card makes cheaper (OFR-36). */
function payChange(
  draft: Draft,
  subscription: SubscriptionRow,
  change: InvoiceRow,
  command: ChangePayment,
): Decision {
  const { billingAddress = null, taxDocument = null, promoCode = null, country } = command;
  if (promoCode !== null) return draft.reject(noCodeForChange);
  const located = changeLocated(draft, subscription, change, country);
  if ('code' in located) return draft.reject(located);
  abandonAuthentication(draft, subscription.pendingCheckout);
  return attempt(draft, accepted(draft, located, command), { ...command, billingAddress, taxDocument });
}

type Typed = Pick<PendingCheckout, 'method' | 'billingAddress' | 'taxDocument'> &
  Pick<Input, 'saved' | 'companyName'>;

function attempt(
  draft: Draft,
  subscription: SubscriptionRow,
  { method, saved, billingAddress, taxDocument, companyName }: Typed,
): Decision {
  const stored = saved == null ? null : draft.paymentMethods.get(saved.methodId);
  const securityCode = saved?.securityCode;
  const invoice =
    subscription.checkoutInvoiceId === null ? null : invoiceOf(draft, subscription.checkoutInvoiceId);
  const change = invoice === null ? null : changeOf(invoice);
  const planId = change?.toPlanId ?? subscription.planId;
  const isSetup = invoice === null || isBelowMinimum(draft, { planId }, invoice);
  if (isSetup && stored !== null && !isCodeCheckedAtSetup(stored)) return draft.reject(savedMethodGone);
  const transactionId = isSetup
    ? null
    : requestCharge(draft, subscription, invoice, stored ?? method, true, { securityCode }).id;
  const attemptId = transactionId ?? requestSetup(draft, subscription, stored ?? method, securityCode);
  const pendingCheckout: PendingCheckout = {
    attemptId,
    transactionId,
    state: 'asked',
    method,
    ...(stored === null ? {} : { storedMethodId: stored.id }),
    billingAddress,
    taxDocument,
    ...(companyName == null ? {} : { companyName }),
    ...(invoice === null || change === null ? {} : { changeInvoiceId: invoice.id }),
  };
  draft.subscriptions.patch(subscription.id, { pendingCheckout });
  return draft.done('charging', subscription.id, invoice?.id ?? null);
}
