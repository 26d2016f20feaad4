import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { MissingRate } from '../../fx-rates/types.ts';
import type { Headline } from '../compute-headline.ts';

const shares = {
  growthBps:
    'Growth of monthly recurring revenue since the end of the previous month, divided by the revenue at the end of the previous month',
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
      currency: t.member('currency', Currency).describe('Currency of the amounts. Always `usd`.'),
      mrr: t
        .maybe('mrr', 'RATE')
        .describe(
          'Monthly recurring revenue, in ten-thousandths of the currency unit (10,000 = 1.00). `null` if an exchange rate is missing.',
        ),
      revenue: t
        .maybe('revenue', 'MINOR')
        .describe(
          'Amount collected since the start of the month in UTC, in the smallest currency unit, such as cents. `null` if an exchange rate is missing.',
        ),
      growthBps: share('growthBps'),
      churnBps: share('churnBps'),
      activeSubscriptions: t
        .member('activeSubscriptions', 'Int')
        .describe('Number of subscriptions with the status `active`.'),
      isComplete: t
        .member('isComplete', 'Boolean')
        .describe(
          '`false` if the values are incomplete because too many changes are waiting to be processed.',
        ),
      missingRates: t
        .member('missingRates', [MissingRate])
        .describe('Exchange rates that are missing for the conversion.'),
    };
  },
});

restView(
  'MetricsHeadline',
  'MetricsHeadline',
  'currency mrr revenue growthBps churnBps activeSubscriptions isComplete missingRates { currency day }',
);
