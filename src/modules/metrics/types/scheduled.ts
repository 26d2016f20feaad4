import type { ScheduledChange, ScheduledDay, ScheduledSeries } from '../../../domain/metrics/scheduled.ts';
import { builder } from '../../../graphql/builder.ts';
import { restView } from '../../../graphql/rest.ts';
import { Currency } from '../../currencies/enums.ts';
import type { Scheduled } from '../compute-scheduled.ts';
import { MrrReason } from '../enums.ts';

const ScheduledChangeType = builder.objectRef<ScheduledChange>('ScheduledMrrChange').implement({
  description: 'What will change on one day for one reason.',
  fields: (t) => ({
    reason: t.expose('reason', { type: MrrReason, description: 'Why it will change.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'By how much, below 0 where revenue is lost.',
    }),
    subscriptions: t.exposeInt('subscriptions', { description: 'How many subscriptions.' }),
  }),
});

const ScheduledDayType = builder.objectRef<ScheduledDay>('ScheduledMrrDay').implement({
  description: 'What will change on one day.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The day it takes effect.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'By how much recurring revenue will change, without trials.',
    }),
    changes: t.field({
      type: [ScheduledChangeType],
      description: 'The same by reason.',
      resolve: ({ changes }) => [...changes],
    }),
    trialMrr: t.expose('trialMrr', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'What the trials that end on the day will pay when all of them convert.',
    }),
    trials: t.exposeInt('trials', { description: 'How many these are.' }),
  }),
});

const ScheduledSeriesType = builder.objectRef<ScheduledSeries>('ScheduledMrrSeries').implement({
  description: 'What is coming in one currency.',
  fields: (t) => ({
    currency: t.field({ type: Currency, description: 'The currency.', resolve: ({ currency }) => currency }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'By how much recurring revenue will change in the range, without trials.',
    }),
    trialMrr: t.expose('trialMrr', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'What the trials that end in the range will pay when all of them convert: their first paid period at the price of now.',
    }),
    days: t.field({
      type: [ScheduledDayType],
      description: 'The days on which something changes, the earliest first.',
      resolve: ({ days }) => [...days],
    }),
  }),
});

export const ScheduledMrr = builder.objectRef<Scheduled>('ScheduledMrr').implement({
  description: 'Scheduled changes of recurring revenue, assuming that nothing else changes.',
  fields: (t) => ({
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False where more than 1000 subscriptions change in the range; the earliest are counted.',
    }),
    series: t.field({
      type: [ScheduledSeriesType],
      description: 'One for each currency.',
      resolve: ({ series }) => [...series],
    }),
  }),
});

restView(
  'ScheduledMrr',
  'ScheduledMrr',
  'isComplete series { currency amount trialMrr days { day amount changes { reason amount subscriptions } trialMrr trials } }',
);
