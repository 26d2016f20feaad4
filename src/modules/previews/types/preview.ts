import type { Context } from '../../../context.ts';
import { QuittanceError, type Rejection } from '../../../domain/errors.ts';
import { currentPeriod, nextBillingDate } from '../../../domain/subscription/state/view.ts';
import type { NextCharge } from '../../../engine/next-charge.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { EventKind } from '../../events/enums.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { SubscriptionStatus } from '../../subscriptions/enums.ts';
import { SubscriptionPeriod } from '../../subscriptions/types/parts.ts';
import { UpcomingCharge } from '../../subscriptions/types/upcoming-charge.ts';
import type { Forecast } from '../forecast.ts';
import type { Preview, SimulatedSubscription } from '../preview.ts';
import type { SimulatedTotals } from '../simulate-documents.ts';
import { PreviewedInvoice } from './invoice.ts';

export const PreviewedTotals = builder.objectRef<SimulatedTotals>('PreviewedTotals').implement({
  description: 'What invoices come to in one currency, minor units.',
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
    invoiced: t.expose('invoicedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Totals of the new invoices, without those withdrawn.',
    }),
    tax: t.expose('taxMinor', { type: 'SafeInt', amount: 'MINOR', description: 'The tax in them.' }),
    collected: t.expose('collectedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What would be paid by charges.',
    }),
    unpaid: t.expose('unpaidMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What would stay open or be given up.',
    }),
  }),
});

export const PreviewedSubscription = builder
  .objectRef<SimulatedSubscription>('PreviewedSubscription')
  .implement({
    description: 'A subscription as it would be.',
    fields: (t) => ({
      subscriptionId: t.id({
        nullable: true,
        description: 'Its id; null for one that does not exist yet.',
        resolve: ({ row, isNew }) => (isNew ? null : row.id),
      }),
      status: t.field({
        type: SubscriptionStatus,
        description: 'Where it would stand.',
        resolve: ({ row }) => row.status,
      }),
      planId: t.id({ description: 'The plan it would be on.', resolve: ({ row }) => row.planId }),
      billingInterval: t.field({
        type: BillingInterval,
        nullable: true,
        description: 'Null on free plans.',
        resolve: ({ row }) => row.billingInterval,
      }),
      currentPeriod: t.field({
        type: SubscriptionPeriod,
        nullable: true,
        description: 'The billing period that would be in force; null before the first.',
        resolve: ({ row, at }) => currentPeriod(row, at),
      }),
      trialEndsAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'End of its trial; null without one.',
        resolve: ({ row }) => row.trialEndsAt,
      }),
      nextBillingDate: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When a charge would be due next; null when none.',
        resolve: ({ row }) => nextBillingDate(row),
      }),
      cancelAtPeriodEnd: t.boolean({
        description: 'True with a cancellation scheduled.',
        resolve: ({ row }) => row.cancelAtPeriodEnd,
      }),
      endDate: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When access would end; null while open-ended.',
        resolve: ({ row }) => row.endDate,
      }),
    }),
  });

const PreviewRejection = builder.objectRef<Rejection>('PreviewRejection').implement({
  description: 'Why the request would be rejected.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The error code the call would answer.' }),
    message: t.exposeString('message', { description: 'The reason as a sentence.' }),
    param: t.string({
      nullable: true,
      description: 'The input it is about; null when it is about none.',
      resolve: ({ param }) => param ?? null,
    }),
  }),
});

/** What `next` answers; null where it cannot be worked out, such as without a price in the currency. */
function chargeOf(ctx: Context, next: () => NextCharge | null): NextCharge | null {
  try {
    return next();
  } catch (error) {
    if (!(error instanceof QuittanceError)) throw error;
    ctx.log.info({ err: error }, 'What is charged next after a preview could not be worked out.');
    return null;
  }
}

export const SubscriptionPreview = builder.objectRef<Preview>('SubscriptionPreview').implement({
  description: 'What a call would do, computed by the same decisions, with nothing written, charged or sent.',
  fields: (t) => ({
    at: t.expose('at', {
      type: 'DateTime',
      description:
        'The business time it would happen at: now, or the end of the period when that is requested.',
    }),
    rejection: t.expose('rejection', {
      type: PreviewRejection,
      nullable: true,
      description:
        'Why it would be rejected; null when it would not. A declined charge leaves documents all the same.',
    }),
    invoices: t.field({
      type: [PreviewedInvoice],
      description: 'The invoices it would issue or change, in their order.',
      resolve: ({ invoices }) => [...invoices],
    }),
    totals: t.field({
      type: [PreviewedTotals],
      description: 'What they come to, currency by currency.',
      resolve: ({ totals }) => [...totals],
    }),
    events: t.field({
      type: [EventKind],
      description: 'The kinds of the events it would send, in their order.',
      resolve: ({ events }) => [...events],
    }),
    subscription: t.expose('subscription', {
      type: PreviewedSubscription,
      nullable: true,
      description: 'The subscription as it would be; null when none would be made.',
    }),
    nextCharge: t.field({
      type: UpcomingCharge,
      nullable: true,
      description:
        'What would be charged next afterwards; null where nothing would be, while a checkout is open, and where a renewal would fail.',
      resolve: ({ next }, _args, ctx) => chargeOf(ctx, next),
    }),
    nextChargeWithout: t.field({
      type: UpcomingCharge,
      nullable: true,
      description:
        'What is charged next if the call is not made; null where nothing is, while a checkout is open, where a renewal will fail, and for a renewal itself.',
      resolve: ({ nextWithout }, _args, ctx) => chargeOf(ctx, nextWithout),
    }),
  }),
});

export const SubscriptionForecast = builder.objectRef<Forecast>('SubscriptionForecast').implement({
  description: 'What a subscription will be billed as things stand.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'The business time it looks from.' }),
    until: t.expose('until', { type: 'DateTime', description: 'The last instant looked at.' }),
    rejection: t.expose('rejection', {
      type: PreviewRejection,
      nullable: true,
      description: 'Why a renewal will fail, where one will; the forecast ends there. Null otherwise.',
    }),
    invoices: t.field({
      type: [PreviewedInvoice],
      description: 'The invoices to come, and those that exist and will be collected, in their order.',
      resolve: ({ invoices }) => [...invoices],
    }),
    totals: t.field({
      type: [PreviewedTotals],
      description: 'What they come to, currency by currency.',
      resolve: ({ totals }) => [...totals],
    }),
    subscription: t.expose('subscription', {
      type: PreviewedSubscription,
      description: 'The subscription as it will be at the end.',
    }),
  }),
});
