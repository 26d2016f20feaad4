import { specificRejection } from '../../errors.ts';
import { cancelRejection, giveUpRejection, paymentNotFound } from '../../payments/payment.ts';
import { withdraw } from '../payments/payment-links.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly paymentId: string;
  /**
   * The attempt whose authentication was abandoned and taken back before, so that it can take no money. Null
   * without one.
   */
  readonly abandoned: string | null;
};

/**
 * Withdraws a link that is not being paid; one that was withdrawn already stays as it is (PAY-5). Sends
 * `payment_link.canceled`.
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
    const late = giveUpRejection(payment, abandoned);
    if (late !== null) return draft.reject({ ...late, code: 'payment_not_cancelable' });
    withdraw(draft, payment);
    return draft.done('done', null);
  },
});
