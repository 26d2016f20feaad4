import { componentNames } from '../../../domain/metrics/recurring.ts';
import { builder } from '../../../graphql/builder.ts';
import { restView } from '../../../graphql/rest.ts';
import { Currency } from '../../currencies/enums.ts';
import type { SumMismatch } from '../../day-sums/store.ts';
import { MissingRate } from '../../fx-rates/types.ts';
import { MetricGroup } from '../../metric-ranges/types.ts';
import type { MetricsReport, MrrMismatch } from '../check.ts';
import type { MrrSeries } from '../compute-mrr.ts';
import type { Cohort, Retention } from '../compute-retention.ts';
import type { CohortRow } from '../store.ts';
import { kindFields, MrrPointType } from './points.ts';

export const MrrSeriesType = builder.objectRef<MrrSeries>('MrrSeries').implement({
  description: 'Monthly recurring revenue in one currency, and of one group where it is grouped.',
  fields: (t) => ({
    currency: t.field({ type: Currency, description: 'The currency.', resolve: ({ currency }) => currency }),
    isConverted: t.exposeBoolean('isConverted', {
      description: 'Whether other currencies were converted into it.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False while more changes wait to be added up than a read adds.',
    }),
    missingRates: t.field({
      type: [MissingRate],
      description: 'The exchange rates the series of the answer lack.',
      resolve: ({ missingRates }) => [...missingRates],
    }),
    group: t.expose('group', {
      type: MetricGroup,
      nullable: true,
      description: 'What its revenue has in common; null without groups.',
    }),
    points: t.field({
      type: [MrrPointType],
      description: 'Its points, the earliest first.',
      resolve: ({ points }) => [...points],
    }),
  }),
});

restView(
  'MrrSeries',
  'MrrSeries',
  `currency isConverted isComplete missingRates { currency day } group { key name } points { start end isClosed opening closing
   ${Object.keys(kindFields).join(' ')} movements { kind reason amount customers } fxImpact atRisk components { ${componentNames.join(' ')} } payingCustomers arr arpa ltv
   customerChurnBps grossChurnBps netChurnBps quickRatioBps }`,
);

const MrrMismatchType = builder.objectRef<MrrMismatch>('MrrMismatch').implement({
  description: 'An amount of recurring revenue that differs from what makes it up.',
  fields: (t) => ({
    subject: t.exposeString('subject', {
      description: 'The subscription; or the currency, with the group where sums are grouped.',
    }),
    expected: t.expose('expected', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'What the subscription, or the last changes of all, come to.',
    }),
    actual: t.expose('actual', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'What its last change, or the sums of days, come to.',
    }),
  }),
});

const SumMismatchType = builder.objectRef<SumMismatch>('SumMismatch').implement({
  description: 'A sum of a day or month that differs from what makes it up.',
  fields: (t) => ({
    subject: t.exposeString('subject', {
      description: 'The figure, its day or month, and what it is the sum of.',
    }),
    expected: t.expose('expected', {
      type: 'SafeInt',
      description: 'What its transfers, events or days come to: minor units, units of usage or a count.',
    }),
    actual: t.expose('actual', { type: 'SafeInt', description: 'The sum.' }),
  }),
});

export const MetricsVerification = builder.objectRef<MetricsReport>('MetricsVerification').implement({
  description: 'Outcome of a check of metrics.',
  fields: (t) => ({
    ok: t.exposeBoolean('ok', { description: 'True when nothing differs.' }),
    mismatches: t.field({
      type: [MrrMismatchType],
      description: 'What differs of recurring revenue.',
      resolve: ({ mismatches }) => [...mismatches],
    }),
    sumMismatches: t.field({
      type: [SumMismatchType],
      description:
        'What differs of the sums of cash, billed amounts, receivables, trials, recovery and usage, and of the count of active subscriptions.',
      resolve: ({ sumMismatches }) => [...sumMismatches],
    }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When it was checked, in real time.' }),
    subscriptionCount: t.exposeInt('subscriptionCount', {
      description: 'How many subscriptions were worked out.',
    }),
  }),
});

const retentionShares = {
  netBps: 'What they pay at the end ÷ what they paid',
  grossBps: 'The same with each customer counted up to what it paid; never above 100 %',
  customerBps: 'Those who still pay ÷ all of them',
} as const;

export const RetentionType = builder.objectRef<Retention>('MrrRetention').implement({
  description:
    'What was left of the customers of one month at the end of another, in one currency. It compares the same people at two ends of month, so it need not be 100 % less the churn rate.',
  fields: (t) => {
    const share = (name: keyof typeof retentionShares) =>
      t.int({
        nullable: true,
        description: `${retentionShares[name]}, basis points; null of nothing.`,
        resolve: (retention) => (retention[name] === null ? null : Number(retention[name])),
      });
    return {
      currency: t.field({
        type: Currency,
        description: 'The currency.',
        resolve: ({ currency }) => currency,
      }),
      customers: t.int({
        description: 'How many paid at the end of the earlier month.',
        resolve: ({ customers }) => Number(customers),
      }),
      remaining: t.int({
        description: 'How many of them paid at the end of the later month.',
        resolve: ({ left }) => Number(left),
      }),
      opening: t.expose('opening', { type: 'SafeInt', amount: 'RATE', description: 'What they paid then.' }),
      closing: t.expose('closing', {
        type: 'SafeInt',
        amount: 'RATE',
        description: 'What they paid at the end of the later month.',
      }),
      netBps: share('netBps'),
      grossBps: share('grossBps'),
      customerBps: share('customerBps'),
    };
  },
});

restView(
  'MrrRetention',
  'MrrRetention',
  'currency customers remaining opening closing netBps grossBps customerBps',
);

const CohortCellType = builder.objectRef<CohortRow>('MrrCohortCell').implement({
  description: 'What a cohort paid at the end of one month.',
  fields: (t) => ({
    month: t.field({
      type: 'Date',
      description: 'The first day of the month.',
      resolve: ({ month }) => `${month}-01`,
    }),
    customers: t.int({
      description: 'How many of them paid.',
      resolve: ({ customers }) => Number(customers),
    }),
    mrr: t.expose('mrr', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Their monthly recurring revenue.',
    }),
  }),
});

export const CohortType = builder.objectRef<Cohort>('MrrCohort').implement({
  description: 'The customers whose first day with recurring revenue lies in one month, in one currency.',
  fields: (t) => ({
    month: t.field({
      type: 'Date',
      description: 'The first day of that month.',
      resolve: ({ month }) => `${month}-01`,
    }),
    currency: t.field({ type: Currency, description: 'The currency.', resolve: ({ currency }) => currency }),
    cells: t.field({
      type: [CohortCellType],
      description: 'The months that are over, their own first; those in which nobody paid are left out.',
      resolve: ({ cells }) => [...cells],
    }),
  }),
});

restView('MrrCohort', 'MrrCohort', 'month currency cells { month customers mrr }');
