import type { Rejection } from '../../errors/errors.ts';
import type {
  Address,
  InvoiceRow,
  MethodDetails,
  PendingCheckout,
  SubscriptionRow,
} from '../../rows/rows.ts';
import { abandonAuthentication, requestCharge, requestSetup } from '../invoicing/charging.ts';
import { pricedFor } from '../invoicing/checkout-pricing.ts';
import { taxedFor } from '../invoicing/checkout-tax.ts';
import { lateRejection, misfitRejection } from '../invoicing/debit-terms.ts';
import { isBelowMinimum } from '../invoicing/invoicing.ts';
import { detailsRejection, isPush, nothingToPay, presentOnlyRejection } from '../invoicing/push-terms.ts';
import { discoverPromotion, enterPromoCode, lostQuote } from '../invoicing/reprice.ts';
import { countryRejection, enteredPayer } from '../invoicing/taxing.ts';
import {
  isCodeCheckedAtSetup,
  type SavedMethod,
  savedMethodGone,
  savedMethodOf,
} from '../payments/saved-method.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { changeLocated, noCodeForChange, openChange } from '../plan-change/change-checkout.ts';
import { awaitsPayer, invoiceOf, isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly method: MethodDetails;
  /** Stored payment method of the customer. `null` if the payer entered a payment method. */
  readonly saved?: SavedMethod | null;
  readonly billingAddress?: Address | null;
  readonly taxDocument?: string | null;
  /** Name of the purchasing company, shown on invoices. */
  readonly companyName?: string | null;
  /** Promo code that the payer entered. Case-insensitive (OFR-26 line 8). */
  readonly promoCode?: string | null;
  /**
   * Subscription of another customer with the same email address (CAT-64a). `null` or absent if no such
   * subscription exists.
   */
  readonly heldSubscriptionId?: string | null;
  readonly consent?: boolean;
  /**
   * ID of the attempt whose abandoned authentication was already canceled at the remote provider. `null` if
   * no attempt was canceled.
   */
  readonly abandoned: string | null;
};

/**
 * Charges the first invoice to the entered payment method, or only sets up the payment method. Recalculates the price
 * for the promo code and the card, and the tax for the entered address. Abandons an open authentication if it was
 * canceled at the provider.
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
    // An authentication that wasn't canceled at the provider could still succeed and charge the payer.
    const isAwaited =
      pendingCheckout !== null &&
      pendingCheckout.attemptId !== command.abandoned &&
      !awaitsPayer(draft, subscription);
    if (isAwaited || isCharging(draft, subscription)) return draft.reject(chargeInProgress);
    const { method, billingAddress = null, taxDocument = null, promoCode = null } = command;
    draft.payer = enteredPayer(draft.customer, { billingAddress, taxDocument });
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

/**
 * Returns the reason why the saved payment method can't be used in this checkout. `null` if it can be used, or if the
 * payer entered a new payment method.
 */
function savedRejection(
  draft: Draft,
  { selection }: SubscriptionRow,
  { saved = null }: Pick<Input, 'saved'>,
): Rejection | null {
  if (saved === null) return null;
  const method = savedMethodOf(draft, saved, selection.wrongCodes);
  return 'code' in method ? method : null;
}

/** Returns the subscription, with the time of acceptance if the payer accepted the merchant's terms. */
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

/** Charges the invoice of a plan change. Rejects promo codes and ignores card promotions (OFR-36). */
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
  Pick<Input, 'saved' | 'companyName' | 'heldSubscriptionId'>;

function attempt(
  draft: Draft,
  subscription: SubscriptionRow,
  { method, saved, billingAddress, taxDocument, companyName, heldSubscriptionId }: Typed,
): Decision {
  const stored = saved == null ? null : draft.paymentMethods.get(saved.methodId);
  const securityCode = saved?.securityCode;
  const entered = stored ?? method;
  const invoice =
    subscription.checkoutInvoiceId === null ? null : invoiceOf(draft, subscription.checkoutInvoiceId);
  const change = invoice === null ? null : changeOf(invoice);
  const misfit = misfitRejection(entered, {
    currency: subscription.currency,
    country: billingAddress?.country ?? draft.customer.country,
    amountMinor: invoice?.total ?? null,
  });
  const unfit =
    misfit ??
    (change === null ? null : lateRejection(entered)) ??
    presentOnlyRejection(draft, subscription, entered) ??
    detailsRejection(entered, {
      address: billingAddress ?? draft.customer.address,
      taxDocument: taxDocument ?? draft.customer.taxDocument,
    });
  if (unfit !== null) return draft.reject(unfit);
  const planId = change?.toPlanId ?? subscription.planId;
  const isHeld = heldSubscriptionId != null;
  const isSetup = isHeld || invoice === null || isBelowMinimum(draft, { planId }, invoice);
  if (isSetup && isPush(entered)) return draft.reject(nothingToPay);
  if (isSetup && stored !== null && !isCodeCheckedAtSetup(stored)) return draft.reject(savedMethodGone);
  const transactionId = isSetup
    ? null
    : requestCharge(draft, subscription, invoice, entered, true, { securityCode }).id;
  const attemptId = transactionId ?? requestSetup(draft, subscription, entered, securityCode);
  const pendingCheckout: PendingCheckout = {
    attemptId,
    transactionId,
    state: 'asked',
    method,
    ...(stored === null ? {} : { storedMethodId: stored.id }),
    billingAddress,
    taxDocument,
    ...(companyName == null ? {} : { companyName }),
    ...(isHeld ? { heldSubscriptionId } : {}),
    ...(invoice === null || change === null ? {} : { changeInvoiceId: invoice.id }),
  };
  draft.subscriptions.patch(subscription.id, { pendingCheckout });
  return draft.done('charging', subscription.id, invoice?.id ?? null);
}
