import type { ScheduledChange, ScheduledDay, ScheduledSeries } from '../../../../domain/metrics/scheduled.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import type { Scheduled } from '../compute-scheduled.ts';
import { MrrReason } from '../enums.ts';

const ScheduledChangeType = builder.objectRef<ScheduledChange>('ScheduledMrrChange').implement({
  description: 'A scheduled change in revenue on one day for one reason.',
  fields: (t) => ({
    reason: t.expose('reason', { type: MrrReason, description: 'Reason for the change.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Change in revenue, negative if revenue is lost. In ten-thousandths of the currency unit (10,000 = 1.00).',
    }),
    subscriptions: t.exposeInt('subscriptions', { description: 'Number of subscriptions.' }),
  }),
});

const ScheduledDayType = builder.objectRef<ScheduledDay>('ScheduledMrrDay').implement({
  description: 'Scheduled changes in revenue on one day.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'Day on which the changes take effect.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Change in recurring revenue, excluding trials. In ten-thousandths of the currency unit (10,000 = 1.00).',
    }),
    changes: t.field({
      type: [ScheduledChangeType],
      description: 'Changes by reason.',
      resolve: ({ changes }) => [...changes],
    }),
    trialMrr: t.expose('trialMrr', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Revenue from the trials that end on this day, assuming that every trial converts. In ten-thousandths of the currency unit (10,000 = 1.00).',
    }),
    trials: t.exposeInt('trials', { description: 'Number of trials that end on this day.' }),
  }),
});

const ScheduledSeriesType = builder.objectRef<ScheduledSeries>('ScheduledMrrSeries').implement({
  description: 'Scheduled changes in revenue in one currency.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts.',
      resolve: ({ currency }) => currency,
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Change in recurring revenue in the date range, excluding trials. In ten-thousandths of the currency unit (10,000 = 1.00).',
    }),
    trialMrr: t.expose('trialMrr', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Revenue from the trials that end in the date range, assuming that every trial converts at the current price. In ten-thousandths of the currency unit (10,000 = 1.00).',
    }),
    days: t.field({
      type: [ScheduledDayType],
      description: 'Days with changes, earliest first.',
      resolve: ({ days }) => [...days],
    }),
  }),
});

export const ScheduledMrr = builder.objectRef<Scheduled>('ScheduledMrr').implement({
  description: 'Scheduled changes in recurring revenue, assuming that nothing else changes.',
  fields: (t) => ({
    isComplete: t.exposeBoolean('isComplete', {
      description:
        '`false` if more than 1,000 subscriptions change in the date range. Only the earliest changes are then included.',
    }),
    series: t.field({
      type: [ScheduledSeriesType],
      description: 'Scheduled changes by currency.',
      resolve: ({ series }) => [...series],
    }),
  }),
});

restView(
  'ScheduledMrr',
  'ScheduledMrr',
  'isComplete series { currency amount trialMrr days { day amount changes { reason amount subscriptions } trialMrr trials } }',
);
