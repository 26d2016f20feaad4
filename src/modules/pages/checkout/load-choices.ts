import {
  type IntervalChoice,
  intervalChoices,
  type SeatChoice,
  seatChoices,
} from '../../../domain/subscription/payments/checkout-choices.ts';
import { withSnapshot } from '../../../engine/preview/with-snapshot.ts';
import type { Context } from '../../../request/context.ts';
import { type CheckoutState, isOpen } from './load.ts';
import { updateOf } from './update.ts';

/** Options that the payer can choose at a checkout, in the checkout's currency. */
export type CheckoutChoices = {
  readonly intervals: readonly (IntervalChoice & { readonly currency: string })[];
  readonly seats: readonly SeatChoice[];
};

const none: CheckoutChoices = { intervals: [], seats: [] };

/** Returns the options for an open checkout. Empty if the checkout is for a plan change or isn't open. Cached for the request. */
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
