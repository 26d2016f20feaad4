import { builder } from '../../../graphql/reading/builder.ts';
import type { SumMismatch } from '../day-sums/store.ts';
import type { MetricsReport, MrrMismatch } from './check.ts';

const MrrMismatchType = builder.objectRef<MrrMismatch>('MrrMismatch').implement({
  description: 'An amount of recurring revenue that differs from its sources.',
  fields: (t) => ({
    subject: t
      .member('subject', 'String')
      .describe('ID of the subscription, or the currency and group of the stored amount.'),
    expected: t
      .member('expected', 'RATE')
      .describe(
        'Recalculated amount. For a subscription, calculated from its current state. For a day, calculated from the latest change to each subscription.',
      ),
    actual: t
      .member('actual', 'RATE')
      .describe(
        'Recorded amount. For a subscription, the amount after its last change. For a day, the daily sum.',
      ),
  }),
});

const SumMismatchType = builder.objectRef<SumMismatch>('SumMismatch').implement({
  description: 'A daily or monthly sum that differs from its sources.',
  fields: (t) => ({
    subject: t
      .member('subject', 'String')
      .describe('Metric and day or month of the sum, followed by the object whose values are summed.'),
    expected: t
      .member('expected', 'SafeInt')
      .describe(
        'Amount calculated from ledger transfers, events, or daily sums. In minor units, in units of usage, or as a count.',
      ),
    actual: t.member('actual', 'SafeInt').describe('Stored sum, in the same unit as `expected`.'),
  }),
});

export const MetricsVerification = builder.objectRef<MetricsReport>('MetricsVerification').implement({
  description: 'Result of comparing metrics with their sources.',
  fields: (t) => ({
    ok: t.member('ok', 'Boolean').describe('`true` if all stored amounts match the recalculated amounts.'),
    mismatches: t
      .member('mismatches', [MrrMismatchType])
      .describe('Differences in recurring revenue. Empty if all amounts match.'),
    sumMismatches: t
      .member('sumMismatches', [SumMismatchType])
      .describe(
        'Differences in the sums of cash, billed amounts, receivables, trials, recovery, and usage, and in the count of active subscriptions.',
      ),
    checkedAt: t
      .member('checkedAt', 'DateTime')
      .describe("Time at which the metrics were checked. Always real time, never the test clock's time."),
    subscriptionCount: t
      .member('subscriptionCount', 'Int')
      .describe('Number of subscriptions that were checked.'),
  }),
});
