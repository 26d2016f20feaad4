import type { Rejection } from '../../errors/errors.ts';
import {
  abandonRejection,
  isCharged,
  paymentNotFound,
  payRejection,
  savesCard,
  taxedAmounts,
} from '../../payments/payment.ts';
import type { PaymentRow } from '../../rows/payment-rows.ts';
import type { Address, MethodDetails } from '../../rows/rows.ts';
import { lateRejection, misfitRejection } from '../invoicing/debit-terms.ts';
import { detailsRejection, isPush, nothingToPay } from '../invoicing/push-terms.ts';
import { countryRejection, customerTax, enteredPayer } from '../invoicing/taxing.ts';
import { ask, type Requested } from '../payments/payment-attempt.ts';
import { abandon } from '../payments/payment-links.ts';
import { type SavedMethod, savedMethodOf } from '../payments/saved-method.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly paymentId: string;
  readonly method: MethodDetails;
  /** Stored payment method of the customer. `null` if the payer entered a payment method. */
  readonly saved?: SavedMethod | null;
  /** Whether the payer agreed to save the card. `null` if the page didn't offer the choice (PAY-8). */
  readonly saveCard?: boolean | null;
  readonly billingAddress: Address | null;
  readonly taxDocument: string | null;
  /** Name of the paying company, shown on the invoice. */
  readonly companyName?: string | null;
  /**
   * ID of the attempt whose abandoned authentication was already canceled at the provider, so it can't be
   * charged. `null` if no attempt was canceled.
   */
  readonly abandoned: string | null;
};

/**
 * Charges the entered payment method for a payment link. Calculates tax for the entered address and tax ID,
 * otherwise for the customer's (PAY-4). Abandons this payer's open authentication if it was canceled at the
 * provider.
 */
export const paymentPay = customerCommand({
  kind: 'payment.pay',
  needs: ({ paymentId }: Input) => ({ payments: [paymentId] }),
  decide(draft: Draft, command: Input): Decision {
    const payment = draft.payments.find(command.paymentId);
    if (payment === null) return draft.reject(paymentNotFound);
    const rejection =
      payRejection(payment, draft.customer.id) ?? abandonRejection(payment, command.abandoned);
    if (rejection !== null) return draft.reject(rejection);
    const { saved = null, saveCard = null, billingAddress, taxDocument, companyName = null } = command;
    const method = saved === null ? command.method : savedMethodOf(draft, saved, payment.wrongCodes);
    if ('code' in method) return draft.reject(method);
    const unsuited = unsuitedRejection(draft, payment, { ...command, method });
    if (unsuited !== null) return draft.reject(unsuited);
    draft.payer = enteredPayer(draft.customer, { billingAddress, taxDocument });
    const missing = countryRejection(draft);
    if (missing !== null) return draft.reject(missing);
    abandon(draft, payment);
    const requested: Requested = {
      method,
      savesMethod: saved === null && savesCard(payment, saveCard),
      securityCode: saved?.securityCode,
      billingAddress,
      taxDocument,
      ...(companyName === null ? {} : { companyName }),
      tax: customerTax(draft),
    };
    const payerId = draft.customer.id;
    const routed = draft.payments.patch(payment.id, {
      ...taxedAmounts(payment.subtotalMinor, requested.tax),
      payerId,
      provider: method.provider,
    });
    return ask(draft, routed, requested);
  },
});

/** Returns the rejection of a payment method that can't pay the link. `null` if it can. */
function unsuitedRejection(
  draft: Draft,
  payment: PaymentRow,
  { method, billingAddress, taxDocument }: Pick<Input, 'method' | 'billingAddress' | 'taxDocument'>,
): Rejection | null {
  if (!isPush(method)) return lateRejection(method);
  if (!isCharged(payment)) return nothingToPay;
  const { customer } = draft;
  const { currency, totalMinor } = payment;
  const country = billingAddress?.country ?? customer.country;
  return (
    misfitRejection(method, { currency, country, amountMinor: totalMinor }) ??
    detailsRejection(method, {
      address: billingAddress ?? customer.address,
      taxDocument: taxDocument ?? customer.taxDocument,
    })
  );
}
