import type { Context } from '../../context.ts';
import {
  type IntervalChoice,
  intervalChoices,
  type SeatChoice,
  seatChoices,
} from '../../domain/subscription/payments/checkout-choices.ts';
import { withSnapshot } from '../../engine/with-snapshot.ts';
import { type CheckoutState, isOpen } from './load.ts';
import { updateOf } from './update.ts';

/** What the payer of a checkout can choose, in its currency. */
export type CheckoutChoices = {
  readonly intervals: readonly (IntervalChoice & { readonly currency: string })[];
  readonly seats: readonly SeatChoice[];
};

const none: CheckoutChoices = { intervals: [], seats: [] };

/** What can be chosen while the checkout is open; nothing for a change of plan, and once it is over. Read once per request. */
export function loadChoices(ctx: Context, { subscription }: CheckoutState): Promise<CheckoutChoices> {
  return ctx.once(`choices:${subscription.id}`, () => readChoices(ctx, subscription));
}

async function readChoices(
  ctx: Context,
  subscription: CheckoutState['subscription'],
): Promise<CheckoutChoices> {
  if (!isOpen(subscription) || subscription.status !== 'pending_payment') return none;
  const { id, customerId, currency } = subscription;
  return withSnapshot(ctx, customerId, [updateOf(id)], ({ aggregate, now }) => {
    const row = aggregate.subscriptions.find((one) => one.id === id);
    if (row === undefined) return none;
    const intervals = intervalChoices(aggregate, row, now).map((choice) => ({ ...choice, currency }));
    return { intervals, seats: seatChoices(aggregate, row, now) };
  });
}
