import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { MissingRate } from '../../fx-rates/types.ts';
import type { Headline } from '../compute-headline.ts';

const shares = {
  growthBps:
    'Growth of monthly recurring revenue since the end of the previous month, divided by the revenue at that time',
  churnBps:
    'Subscriptions canceled in the last 30 days, divided by the sum of canceled and active subscriptions',
} as const;

export const HeadlineType = builder.objectRef<Headline>('MetricsHeadline').implement({
  description: 'Headline metrics of the organization.',
  fields: (t) => {
    const share = (name: keyof typeof shares) =>
      t.int({
        nullable: true,
        description: `${shares[name]}. In basis points; 10,000 = 100%. \`null\` if the divisor is 0 or an exchange rate is missing.`,
        resolve: (headline) => (headline[name] === null ? null : Number(headline[name])),
      });
    return {
      currency: t.field({
        type: Currency,
        description: 'Currency of the amounts. Always `usd`.',
        resolve: ({ currency }) => currency,
      }),
      mrr: t.expose('mrr', {
        type: 'SafeInt',
        amount: 'RATE',
        nullable: true,
        description:
          'Monthly recurring revenue, in ten-thousandths of the currency unit (10,000 = 1.00). `null` if an exchange rate is missing.',
      }),
      revenue: t.expose('revenue', {
        type: 'SafeInt',
        amount: 'MINOR',
        nullable: true,
        description:
          'Amount collected since the start of the month in UTC, in the smallest currency unit, such as cents. `null` if an exchange rate is missing.',
      }),
      growthBps: share('growthBps'),
      churnBps: share('churnBps'),
      activeSubscriptions: t.exposeInt('activeSubscriptions', {
        description: 'Number of subscriptions with the status `active`.',
      }),
      isComplete: t.exposeBoolean('isComplete', {
        description:
          '`false` if the values are incomplete because too many changes are waiting to be processed.',
      }),
      missingRates: t.field({
        type: [MissingRate],
        description: 'Missing exchange rates.',
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
