import { specificRejection } from '../../errors/errors.ts';
import { paymentNotFound, payRejection } from '../../payments/payment.ts';
import { isPush } from '../invoicing/push-terms.ts';
import { paymentAnswered } from '../payments/payment-attempt.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly paymentId: string;
  readonly succeed: boolean;
};

/**
 * Processes the authentication result of a payment link: marks the link as paid after a successful
 * authentication, otherwise declines the payment. Fails with `payment_not_found` if no authentication is
 * open.
 */
export const paymentAuthenticate = customerCommand({
  kind: 'payment.authenticate',
  needs: ({ paymentId }: Input) => ({ payments: [paymentId] }),
  decide(draft: Draft, { paymentId, succeed }: Input): Decision {
    const payment = draft.payments.find(paymentId);
    if (payment === null) return draft.reject(paymentNotFound);
    const { attempt } = payment;
    // Only a report confirms a payment that the payer starts.
    const isInstructed = attempt?.method != null && isPush(attempt.method);
    if (
      payment.status === 'requires_action' &&
      payment.kind === 'link' &&
      attempt !== null &&
      !isInstructed
    ) {
      const failed = {
        status: 'declined',
        declineCode: 'authentication_failed',
        message: 'The card authentication failed. Try again, or use another card.',
      } as const;
      return paymentAnswered(draft, payment, attempt, succeed ? { status: 'settled' } : failed);
    }
    const rejection = payRejection(payment, draft.customer.id);
    return draft.reject(rejection ?? specificRejection('payment_not_found', 'no_payment_authentication'));
  },
});
