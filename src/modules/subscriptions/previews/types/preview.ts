import { QuittanceError, type Rejection } from '../../../../domain/errors/errors.ts';
import type { RefundRow } from '../../../../domain/rows/rows.ts';
import { currentPeriod, nextBillingDate } from '../../../../domain/subscription/state/view.ts';
import type { NextCharge } from '../../../../engine/preview/next-charge.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { Context } from '../../../../request/context.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { EventKind } from '../../../organization/event-types/enums.ts';
import { SubscriptionStatus } from '../../subscriptions/enums.ts';
import { SubscriptionPeriod } from '../../subscriptions/types/parts.ts';
import { UpcomingCharge } from '../../subscriptions/types/upcoming-charge.ts';
import type { Forecast } from '../forecast.ts';
import type { Preview, SimulatedSubscription } from '../preview.ts';
import type { SimulatedTotals } from '../simulate-documents.ts';
import { PreviewedInvoice } from './invoice.ts';

export const PreviewedTotals = builder.objectRef<SimulatedTotals>('PreviewedTotals').implement({
  description: 'Totals of previewed invoices in one currency. Amounts are in the smallest currency unit.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the totals.'),
    invoiced: t
      .member('invoicedMinor', 'MINOR')
      .describe('Total of the new invoices, excluding voided invoices.'),
    tax: t.member('taxMinor', 'MINOR').describe('Tax included in `invoiced`.'),
    collected: t.member('collectedMinor', 'MINOR').describe('Amount that charges would collect.'),
    unpaid: t
      .member('unpaidMinor', 'MINOR')
      .describe('Amount that would remain outstanding or become uncollectible.'),
  }),
});

const PreviewedSubscription = builder.objectRef<SimulatedSubscription>('PreviewedSubscription').implement({
  description: 'Previewed state of a subscription.',
  fields: (t) => ({
    subscriptionId: t.id({
      nullable: true,
      description: "ID of the subscription. `null` if the subscription doesn't exist yet.",
      resolve: ({ row, isNew }) => (isNew ? null : row.id),
    }),
    status: t.field({
      type: SubscriptionStatus,
      description: 'Status that the subscription would have.',
      resolve: ({ row }) => row.status,
    }),
    planId: t.id({
      description: 'ID of the plan that the subscription would have.',
      resolve: ({ row }) => row.planId,
    }),
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'Billing interval. `null` on free plans.',
      resolve: ({ row }) => row.billingInterval,
    }),
    currentPeriod: t.field({
      type: SubscriptionPeriod,
      nullable: true,
      description: "Billing period that would be current. `null` if the first period hasn't started.",
      resolve: ({ row, at }) => currentPeriod(row, at),
    }),
    trialEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'End of the trial. `null` if the subscription has no trial.',
      resolve: ({ row }) => row.trialEndsAt,
    }),
    nextBillingDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next charge. `null` if no charge is scheduled.',
      resolve: ({ row }) => nextBillingDate(row),
    }),
    cancelAtPeriodEnd: t.boolean({
      description: 'Whether a cancellation would be scheduled.',
      resolve: ({ row }) => row.cancelAtPeriodEnd,
    }),
    endDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which access would end. `null` if no end is scheduled.',
      resolve: ({ row }) => row.endDate,
    }),
  }),
});

const PreviewRejection = builder.objectRef<Rejection>('PreviewRejection').implement({
  description: 'Reason why a previewed request would be rejected.',
  fields: (t) => ({
    code: t.member('code', 'String').describe('Error code that the request would fail with.'),
    message: t.member('message', 'String').describe('Error message, as a sentence.'),
    param: t.string({
      nullable: true,
      description: "Name of the invalid input field. `null` if the rejection isn't about an input field.",
      resolve: ({ param }) => param ?? null,
    }),
  }),
});

/** Calculates the next charge. `null` if it can't be calculated, for example because the price has no amount in the currency. */
function chargeOf(ctx: Context, next: () => NextCharge | null): NextCharge | null {
  try {
    return next();
  } catch (error) {
    if (!(error instanceof QuittanceError)) throw error;
    ctx.log.info({ err: error }, "The next charge after a preview couldn't be calculated.");
    return null;
  }
}

const PreviewedRefund = builder.objectRef<RefundRow>('PreviewedRefund').implement({
  description: 'Refund that a request would make.',
  fields: (t) => ({
    amount: t
      .member('amountMinor', 'MINOR')
      .describe(
        "Amount to refund, in the smallest currency unit. The full refundable amount if the request doesn't specify an amount.",
      ),
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    revokedCreditId: t
      .maybe('revokedCreditId', 'ID')
      .describe(
        'ID of the customer credit that the refund revokes, because a plan change converted part of the refunded payment into this credit. `null` if the refund revokes no credit.',
      ),
    revokedCreditAmount: t
      .member('revokedMinor', 'MINOR')
      .describe('Amount of the customer credit that is revoked, in the smallest currency unit.'),
  }),
});

export const SubscriptionPreview = builder.objectRef<Preview>('SubscriptionPreview').implement({
  description:
    "Preview of a request. Uses the same logic as the request, but doesn't store, charge, or send anything.",
  fields: (t) => ({
    at: t
      .member('at', 'DateTime')
      .describe(
        "Time at which the request would take effect: the current time, or the end of the period for a renewal. In a sandbox, the test clock's time.",
      ),
    rejection: t
      .maybe('rejection', PreviewRejection)
      .describe(
        'Rejection of the request. `null` if the request would succeed. A declined charge can still create invoices.',
      ),
    invoices: t
      .member('invoices', [PreviewedInvoice])
      .describe(
        'Invoices that the request would create or change, in the order in which the request changes them.',
      ),
    totals: t.member('totals', [PreviewedTotals]).describe('Invoice totals by currency.'),
    events: t
      .member('events', [EventKind])
      .describe('Types of the events that the request would send, in order.'),
    refund: t
      .maybe('refund', PreviewedRefund)
      .describe('Refund that the request would make. `null` if the request makes no refund.'),
    subscription: t
      .maybe('subscription', PreviewedSubscription)
      .describe('State of the subscription after the request. `null` if no subscription would exist.'),
    nextCharge: t.field({
      type: UpcomingCharge,
      nullable: true,
      description:
        "Next charge after the request. `null` if there's no next charge, a checkout is open, or the renewal would fail.",
      resolve: ({ next }, _args, ctx) => chargeOf(ctx, next),
    }),
    nextChargeWithout: t.field({
      type: UpcomingCharge,
      nullable: true,
      description:
        "Next charge if the request isn't made. `null` if there's no next charge, a checkout is open, the renewal would fail, or a renewal is previewed.",
      resolve: ({ nextWithout }, _args, ctx) => chargeOf(ctx, nextWithout),
    }),
  }),
});

export const SubscriptionForecast = builder.objectRef<Forecast>('SubscriptionForecast').implement({
  description: "Forecast of a subscription's invoices, assuming that nothing else changes.",
  fields: (t) => ({
    from: t
      .member('from', 'DateTime')
      .describe("Start of the forecast. In a sandbox, the test clock's time."),
    until: t.member('until', 'DateTime').describe('End of the forecast.'),
    rejection: t
      .maybe('rejection', PreviewRejection)
      .describe(
        'Reason why a renewal would fail. The forecast ends at this renewal. `null` if no renewal would fail.',
      ),
    invoices: t
      .member('invoices', [PreviewedInvoice])
      .describe('Future invoices, and existing invoices that would be collected, in chronological order.'),
    totals: t.member('totals', [PreviewedTotals]).describe('Invoice totals by currency.'),
    subscription: t
      .member('subscription', PreviewedSubscription)
      .describe('State of the subscription at the end of the forecast.'),
  }),
});
