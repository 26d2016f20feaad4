import { componentNames } from '../../../../domain/metrics/recurring.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { MissingRate } from '../../fx-rates/types.ts';
import { MetricGroup } from '../../ranges/types.ts';
import type { MrrSeries } from '../compute-mrr.ts';
import type { Cohort, Retention } from '../compute-retention.ts';
import type { CohortRow } from '../store.ts';
import { kindFields, MrrPointType } from './points.ts';

export const MrrSeriesType = builder.objectRef<MrrSeries>('MrrSeries').implement({
  description: 'Monthly recurring revenue in one currency and, if the series is grouped, for one group.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    isConverted: t
      .member('isConverted', 'Boolean')
      .describe('Whether amounts in other currencies were converted to this currency.'),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe('`false` if the values are incomplete because too many changes are waiting to be processed.'),
    missingRates: t
      .member('missingRates', [MissingRate])
      .describe('Exchange rates that are missing for the conversion.'),
    group: t.maybe('group', MetricGroup).describe("Group of the series. `null` if the series isn't grouped."),
    points: t.member('points', [MrrPointType]).describe('Points of the series, oldest first.'),
  }),
});

restView(
  'MrrSeries',
  'MrrSeries',
  `currency isConverted isComplete missingRates { currency day } group { key name } points { start end isClosed opening closing
   ${Object.keys(kindFields).join(' ')} movements { kind reason amount customers } fxImpact atRisk components { ${componentNames.join(' ')} } payingCustomers arr arpa ltv
   customerChurnBps grossChurnBps netChurnBps quickRatioBps }`,
);

const retentionShares = {
  netBps: 'Net revenue retention: `closing` ÷ `opening`',
  grossBps:
    "Gross revenue retention: like net revenue retention, but each customer's revenue is capped at the amount of the earlier month. Never above 100%",
  customerBps: 'Customer retention: `remaining` ÷ `customers`',
} as const;

export const RetentionType = builder.objectRef<Retention>('MrrRetention').implement({
  description:
    'Retention, in one currency, of the customers who paid at the end of an earlier month. Measured at the end of a later month. Compares the same customers at two month ends, so the retention rate can differ from 100% minus the churn rate.',
  fields: (t) => {
    const share = (name: keyof typeof retentionShares) =>
      t.int({
        nullable: true,
        description: `${retentionShares[name]}. In basis points; 10,000 = 100%. \`null\` if the divisor is 0.`,
        resolve: (retention) => (retention[name] === null ? null : Number(retention[name])),
      });
    return {
      currency: t.member('currency', Currency).describe('Currency of the amounts.'),
      customers: t.int({
        description: 'Number of customers who paid at the end of the earlier month.',
        resolve: ({ customers }) => Number(customers),
      }),
      remaining: t.int({
        description:
          'Number of customers who paid at the end of the earlier month and still pay at the end of the later month.',
        resolve: ({ left }) => Number(left),
      }),
      opening: t
        .member('opening', 'RATE')
        .describe(
          'Recurring revenue at the end of the earlier month. In ten-thousandths of the currency unit (10,000 = 1.00).',
        ),
      closing: t
        .member('closing', 'RATE')
        .describe(
          'Recurring revenue at the end of the later month, from customers who paid at the end of the earlier month. In ten-thousandths of the currency unit (10,000 = 1.00).',
        ),
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
  description: "A cohort's customers and revenue at the end of one month.",
  fields: (t) => ({
    month: t.field({
      type: 'Date',
      description: 'First day of the month to which the amounts apply.',
      resolve: ({ month }) => `${month}-01`,
    }),
    customers: t.int({
      description: 'Number of customers with revenue at the end of the month.',
      resolve: ({ customers }) => Number(customers),
    }),
    mrr: t
      .member('mrr', 'RATE')
      .describe(
        'Monthly recurring revenue of the cohort. In ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
  }),
});

export const CohortType = builder.objectRef<Cohort>('MrrCohort').implement({
  description: 'Customers who first had recurring revenue in the same month, in one currency.',
  fields: (t) => ({
    month: t.field({
      type: 'Date',
      description: "First day of the cohort's month.",
      resolve: ({ month }) => `${month}-01`,
    }),
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    cells: t
      .member('cells', [CohortCellType])
      .describe(
        "Complete months, starting with the cohort's own month. Months in which no customer paid are omitted.",
      ),
  }),
});

restView('MrrCohort', 'MrrCohort', 'month currency cells { month customers mrr }');
