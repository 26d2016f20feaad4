import { defaultRejection } from '../../errors/errors.ts';
import { removeMethod } from '../payments/stored-methods.ts';
import { isCharging, storedMethods } from '../pricing/lookup.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import { chargeInProgress } from '../state/rejections.ts';

type Input = Timed & {
  readonly paymentMethodId: string;
  /** Canceled subscriptions that still reference the payment method. The command removes these references. */
  readonly subscriptionIds: readonly string[];
  /** Party that removes the payment method, which also ends its mandate. */
  readonly by: 'customer' | 'merchant';
};

/**
 * Removes a stored payment method that only canceled subscriptions reference (PAY-34). Past payments remain
 * refundable. Fails while a charge of the payment method has no result.
 */
export const methodRemove = customerCommand({
  kind: 'method.remove',
  ignoresUsage: true,
  needs: ({ subscriptionIds }: Input) => ({ subscriptions: subscriptionIds }),
  decide(draft, { paymentMethodId, by }: Input) {
    const method = storedMethods(draft).find(({ id }) => id === paymentMethodId);
    if (method === undefined)
      return draft.reject(defaultRejection('payment_method_not_found', { param: 'paymentMethodId' }));
    const users = draft.subscriptions.all().filter((row) => row.paymentMethodId === method.id);
    if (users.some(({ status }) => status !== 'canceled'))
      return draft.reject(defaultRejection('payment_method_in_use', { param: 'paymentMethodId' }));
    const isPending = draft.transactions
      .all()
      .some((row) => row.status === 'pending' && row.paymentMethodId === method.id);
    const isAwaited = draft.subscriptions
      .all()
      .some(({ pendingCheckout }) => pendingCheckout?.storedMethodId === method.id);
    if (isPending || isAwaited || users.some((subscription) => isCharging(draft, subscription)))
      return draft.reject(chargeInProgress);
    removeMethod(draft, method, by);
    return draft.done('done', null);
  },
});
