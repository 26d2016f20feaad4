import type { ScheduledChange, ScheduledDay, ScheduledSeries } from '../../../../domain/metrics/scheduled.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import type { Scheduled } from '../compute-scheduled.ts';
import { MrrReason } from '../enums.ts';

const ScheduledChangeType = builder.objectRef<ScheduledChange>('ScheduledMrrChange').implement({
  description: 'A scheduled change in recurring revenue on one day for one reason.',
  fields: (t) => ({
    reason: t.member('reason', MrrReason).describe('Reason for the change.'),
    amount: t
      .member('amount', 'RATE')
      .describe(
        'Change in revenue, negative if revenue is lost. In ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    subscriptions: t
      .member('subscriptions', 'Int')
      .describe('Number of subscriptions whose revenue changes.'),
  }),
});

const ScheduledDayType = builder.objectRef<ScheduledDay>('ScheduledMrrDay').implement({
  description: 'Scheduled changes in recurring revenue on one day.',
  fields: (t) => ({
    day: t.member('day', 'Date').describe('Day on which the changes take effect.'),
    amount: t
      .member('amount', 'RATE')
      .describe(
        'Change in recurring revenue, excluding trials. In ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    changes: t.member('changes', [ScheduledChangeType]).describe('Scheduled changes, grouped by reason.'),
    trialMrr: t
      .member('trialMrr', 'RATE')
      .describe(
        'Revenue from the trials that end on this day, assuming that every trial converts. In ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    trials: t.member('trials', 'Int').describe('Number of trials that end on this day.'),
  }),
});

const ScheduledSeriesType = builder.objectRef<ScheduledSeries>('ScheduledMrrSeries').implement({
  description: 'Scheduled changes in recurring revenue in one currency.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    amount: t
      .member('amount', 'RATE')
      .describe(
        'Change in recurring revenue in the date range, excluding trials. In ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    trialMrr: t
      .member('trialMrr', 'RATE')
      .describe(
        'Revenue from the trials that end in the date range, assuming that every trial converts at the current price. In ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    days: t.member('days', [ScheduledDayType]).describe('Days with changes, earliest first.'),
  }),
});

export const ScheduledMrr = builder.objectRef<Scheduled>('ScheduledMrr').implement({
  description: 'Scheduled changes in recurring revenue, assuming that nothing else changes.',
  fields: (t) => ({
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe(
        '`false` if more than 1,000 subscriptions change in the date range. Only the earliest changes are then included.',
      ),
    series: t
      .member('series', [ScheduledSeriesType])
      .describe('Scheduled changes in recurring revenue, by currency.'),
  }),
});

restView(
  'ScheduledMrr',
  'ScheduledMrr',
  'isComplete series { currency amount trialMrr days { day amount changes { reason amount subscriptions } trialMrr trials } }',
);
