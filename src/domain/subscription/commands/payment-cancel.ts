import { specificRejection } from '../../errors/errors.ts';
import { abandonRejection, cancelRejection, paymentNotFound } from '../../payments/payment.ts';
import { withdraw } from '../payments/payment-links.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly paymentId: string;
  /**
   * ID of the attempt whose abandoned authentication was already canceled at the provider, so it can't be
   * charged. `null` if no attempt was canceled.
   */
  readonly abandoned: string | null;
};

/**
 * Cancels a payment link while no payment is in progress. Does nothing if the link is already canceled
 * (PAY-5). Emits `payment_link.canceled`.
 */
export const paymentCancel = customerCommand({
  kind: 'payment.cancel',
  outlivesCustomer: true,
  needs: ({ paymentId }: Input) => ({ payments: [paymentId] }),
  decide(draft: Draft, { paymentId, abandoned }: Input): Decision {
    const payment = draft.payments.find(paymentId);
    if (payment === null) return draft.reject(paymentNotFound);
    const rejection = cancelRejection(payment);
    if (rejection !== null) return draft.reject(rejection);
    if (payment.status === 'canceled') return draft.done('unchanged', null);
    if (payment.payerId !== draft.customer.id) {
      return draft.reject(specificRejection('payment_not_cancelable', 'other_payer'));
    }
    const pending = abandonRejection(payment, abandoned);
    if (pending !== null) return draft.reject({ ...pending, code: 'payment_not_cancelable' });
    withdraw(draft, payment);
    return draft.done('done', null);
  },
});
