import type { MrrMovementKind as Kind } from '../../domain/metrics/movements.ts';
import type { MrrReason as Reason } from '../../domain/subscription/state/recurring-rows.ts';
import { builder } from '../../graphql/builder.ts';
import type { SeriesDimension } from './rules.ts';

export const MrrDimension = builder.enumType('MrrDimension', {
  description: 'What recurring revenue can be grouped by.',
  values: {
    plan: { description: 'The plan.' },
    interval: { description: 'How often the plan is billed; empty for free plans.' },
    country: { description: 'The country of the customer when its revenue changed last.' },
    provider: { description: 'The payment provider; empty without one.' },
    currency: { description: 'The currency subscriptions are paid in, also where amounts are converted.' },
  } satisfies Record<SeriesDimension, { description: string }>,
});

export const MrrMovementKind = builder.enumType('MrrMovementKind', {
  description: 'What the recurring revenue of a customer did on a day, in one currency.',
  values: {
    new: { description: 'From nothing, for the first time.' },
    expansion: { description: 'Up, having paid before.' },
    contraction: { description: 'Down, but not to nothing.' },
    churn: { description: 'Down to nothing.' },
    reactivation: { description: 'From nothing, having paid before.' },
    transfer_in: { description: 'Moved here from another group; over all groups transfers add up to 0.' },
    transfer_out: { description: 'Moved from here to another group.' },
  } satisfies Record<Kind, { description: string }>,
});

export const MrrReason = builder.enumType('MrrReason', {
  description: 'Why recurring revenue changed.',
  values: {
    opening: { description: 'It was in force before changes were recorded.' },
    activated: { description: 'A subscription was paid for the first time.' },
    trial_converted: { description: 'A trial was paid for.' },
    reactivated: { description: 'A canceled subscription began again.' },
    plan_changed: { description: 'Another plan.' },
    interval_changed: { description: 'Another billing interval.' },
    price_changed: { description: 'Another base price.' },
    discount_started: { description: 'A discount began, or grew.' },
    discount_ended: { description: 'A discount ended, or shrank.' },
    fully_discounted: { description: 'A discount of everything.' },
    seats: { description: 'Seats were added or left.' },
    quota: { description: 'Quota was added or left.' },
    addons: { description: 'Add-ons were activated or ended.' },
    downgraded_to_free: { description: 'A free plan.' },
    canceled: { description: 'A subscription ended.' },
    dunning_exhausted: { description: 'A subscription ended since its invoice was not paid.' },
    refunded: { description: 'A subscription ended with a full refund.' },
    customer_deleted: { description: 'A subscription ended with its customer, who was deleted.' },
    past_due: { description: 'A charge failed. No revenue moves.' },
    recovered: { description: 'A failed charge was made good. No revenue moves.' },
  } satisfies Record<Reason, { description: string }>,
});
