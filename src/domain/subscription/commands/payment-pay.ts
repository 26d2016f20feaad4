import { giveUpRejection, paymentNotFound, payRejection, taxedAmounts } from '../../payments/payment.ts';
import type { Address, MethodDetails } from '../../subscription/state/rows.ts';
import { countryRejection, customerTax, typedPayer } from '../invoicing/taxing.ts';
import { ask, type Requested } from '../payments/payment-attempt.ts';
import { abandon } from '../payments/payment-links.ts';
import { type SavedMethod, savedMethodOf } from '../payments/saved-method.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly paymentId: string;
  readonly method: MethodDetails;
  /** The method where it is one the customer has stored; null for one that was typed in. */
  readonly saved?: SavedMethod | null;
  readonly billingAddress: Address | null;
  readonly taxDocument: string | null;
  /** The name of the company that pays, which the invoice is made out to. */
  readonly companyName?: string | null;
  /**
   * The attempt whose authentication was abandoned and taken back before, so that it can take no money. Null
   * without one.
   */
  readonly abandoned: string | null;
};

/**
 * Asks the gateway to charge a link by the method typed in, with the tax of the address and the document
 * typed in, else of the customer's (PAY-4). An open authentication of this payer is abandoned if it is the
 * one that was taken back.
 */
export const paymentPay = customerCommand({
  kind: 'payment.pay',
  needs: ({ paymentId }: Input) => ({ payments: [paymentId] }),
  decide(draft: Draft, command: Input): Decision {
    const payment = draft.payments.find(command.paymentId);
    if (payment === null) return draft.reject(paymentNotFound);
    const rejection = payRejection(payment, draft.customer.id) ?? giveUpRejection(payment, command.abandoned);
    if (rejection !== null) return draft.reject(rejection);
    const { saved = null, billingAddress, taxDocument, companyName = null } = command;
    const method = saved === null ? command.method : savedMethodOf(draft, saved, payment.wrongCodes);
    if ('code' in method) return draft.reject(method);
    draft.payer = typedPayer(draft.customer, { billingAddress, taxDocument });
    const missing = countryRejection(draft);
    if (missing !== null) return draft.reject(missing);
    abandon(draft, payment);
    const requested: Requested = {
      method,
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
