import type { MrrMovementKind as Kind } from '../../../domain/metrics/movements.ts';
import type { MrrReason as Reason } from '../../../domain/rows/recurring-rows.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import type { SeriesDimension } from './rules.ts';

export const MrrDimension = builder.enumType('MrrDimension', {
  description: 'Dimension for grouping recurring revenue.',
  values: {
    plan: { description: 'Grouped by plan.' },
    interval: { description: 'Grouped by billing interval. The group key is empty if the plan is free.' },
    country: { description: "Grouped by the customer's country at the time of the last change in revenue." },
    provider: {
      description: 'Grouped by payment provider. The group key is empty if the subscription has no provider.',
    },
    currency: { description: 'Grouped by the currency of the subscription, even if amounts are converted.' },
  } satisfies Record<SeriesDimension, { description: string }>,
});

export const MrrMovementKind = builder.enumType('MrrMovementKind', {
  description: "Type of daily change in a customer's recurring revenue, in one currency.",
  values: {
    new: { description: 'Revenue from a customer who pays for the first time.' },
    expansion: { description: 'Revenue gained from an existing customer.' },
    contraction: { description: 'Revenue lost from a customer who still pays.' },
    churn: { description: 'Revenue lost from a customer who no longer pays.' },
    reactivation: { description: 'Revenue from a returning customer.' },
    transfer_in: {
      description:
        'Revenue that moved into the group from another group. Across all groups, transfers add up to 0.',
    },
    transfer_out: { description: 'Revenue that moved out of the group to another group.' },
  } satisfies Record<Kind, { description: string }>,
});

export const MrrReason = builder.enumType('MrrReason', {
  description: 'Reason for a change in recurring revenue.',
  values: {
    opening: {
      description: 'The subscription was already active when Quittance started recording recurring revenue.',
    },
    activated: { description: 'A subscription was paid for the first time.' },
    trial_converted: { description: 'A free trial converted to a paid subscription.' },
    reactivated: { description: 'A canceled subscription was reactivated.' },
    plan_changed: { description: 'The plan changed.' },
    interval_changed: { description: 'The billing interval changed.' },
    price_changed: { description: 'The base price changed.' },
    discount_started: { description: 'A discount started or increased.' },
    discount_ended: { description: 'A discount ended or decreased.' },
    fully_discounted: { description: 'A discount of 100% started.' },
    seats: { description: 'The number of paid seats changed.' },
    quota: { description: 'The paid quota changed.' },
    addons: { description: 'Add-ons were added or removed.' },
    downgraded_to_free: { description: 'The subscription changed to a free plan.' },
    canceled: { description: 'A subscription was canceled.' },
    dunning_exhausted: { description: "A subscription ended because its invoice wasn't paid." },
    refunded: { description: 'A subscription ended because of a full refund.' },
    customer_deleted: { description: 'A subscription ended because its customer was deleted.' },
    past_due: { description: "A charge failed. Recurring revenue doesn't change." },
    recovered: { description: "A failed charge was recovered. Recurring revenue doesn't change." },
  } satisfies Record<Reason, { description: string }>,
});
