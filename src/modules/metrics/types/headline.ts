import { builder } from '../../../graphql/builder.ts';
import { restView } from '../../../graphql/rest.ts';
import { Currency } from '../../currencies/enums.ts';
import { MissingRate } from '../../fx-rates/types.ts';
import type { Headline } from '../compute-headline.ts';

const shares = {
  growthBps: 'Monthly recurring revenue less that at the end of last month, divided by the latter',
  churnBps: 'Subscriptions that ended in the last 30 days, divided by these and the active ones',
} as const;

export const HeadlineType = builder.objectRef<Headline>('MetricsHeadline').implement({
  description: 'The figures of a first page.',
  fields: (t) => {
    const share = (name: keyof typeof shares) =>
      t.int({
        nullable: true,
        description: `${shares[name]}, basis points; null where it would divide by 0 or an exchange rate is missing.`,
        resolve: (headline) => (headline[name] === null ? null : Number(headline[name])),
      });
    return {
      currency: t.field({
        type: Currency,
        description: 'The currency, always `usd`.',
        resolve: ({ currency }) => currency,
      }),
      mrr: t.expose('mrr', {
        type: 'SafeInt',
        amount: 'RATE',
        nullable: true,
        description: 'Monthly recurring revenue; null where an exchange rate is missing.',
      }),
      revenue: t.expose('revenue', {
        type: 'SafeInt',
        amount: 'MINOR',
        nullable: true,
        description:
          'What was collected since the month began, in UTC, minor units; null where an exchange rate is missing.',
      }),
      growthBps: share('growthBps'),
      churnBps: share('churnBps'),
      activeSubscriptions: t.exposeInt('activeSubscriptions', {
        description: 'Subscriptions with status `active`.',
      }),
      isComplete: t.exposeBoolean('isComplete', {
        description: 'False while more changes wait to be added up than a read adds.',
      }),
      missingRates: t.field({
        type: [MissingRate],
        description: 'The exchange rates it lacks.',
        resolve: ({ missingRates }) => [...missingRates],
      }),
    };
  },
});

restView(
  'MetricsHeadline',
  'MetricsHeadline',
  'currency mrr revenue growthBps churnBps activeSubscriptions isComplete missingRates { currency day }',
);
