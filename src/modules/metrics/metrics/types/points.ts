import { type MovementSum, type MrrPoint, movedOf } from '../../../../domain/metrics/mrr-series.ts';
import type { MrrComponents } from '../../../../domain/metrics/recurring.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { MrrMovementKind, MrrReason } from '../enums.ts';

const missing = '`null` if an exchange rate is missing.';

const MrrMovementSumType = builder.objectRef<MovementSum>('MrrMovementSum').implement({
  description: 'The movements of one type and reason in one interval.',
  fields: (t) => ({
    kind: t.member('kind', MrrMovementKind).describe('Type of the movements.'),
    reason: t.field({
      type: MrrReason,
      description: 'Reason for the movements.',
      // The column contains only values of the enum, so the cast is safe.
      resolve: ({ reason }) => reason as typeof MrrReason.$inferType,
    }),
    amount: t
      .maybe('amount', 'RATE')
      .describe(
        `Change in revenue, negative for contraction, churn, and outgoing transfers. In ten-thousandths of the currency unit (10,000 = 1.00). ${missing}`,
      ),
    customers: t.int({
      description: 'Number of customers. A customer is counted at most once per day.',
      resolve: ({ customers }) => Number(customers),
    }),
  }),
});

const componentDescriptions: Readonly<Record<keyof MrrComponents, string>> = {
  base: 'Base prices of plans, before discounts',
  discount: 'Discounts, 0 or negative',
  seats: 'Charges for seats above the included number',
  quota: 'Charges for quota units above the included number',
  addons: 'Base prices of add-ons',
};

export const MrrComponentsType = builder.objectRef<MrrPoint['components']>('MrrComponents').implement({
  description: 'The components of monthly recurring revenue. Their sum is the total.',
  fields: (t) => {
    const part = (name: keyof MrrComponents) =>
      t
        .maybe(name, 'RATE')
        .describe(
          `${componentDescriptions[name]}. In ten-thousandths of the currency unit (10,000 = 1.00). ${missing}`,
        );
    return {
      base: part('base'),
      discount: part('discount'),
      seats: part('seats'),
      quota: part('quota'),
      addons: part('addons'),
    };
  },
});

const amounts = {
  opening: 'Monthly recurring revenue at the end of the day before the interval',
  closing:
    "Monthly recurring revenue at the end of the interval, or the current revenue if the interval hasn't ended",
  fxImpact:
    "Effect of exchange rates: closing revenue minus opening revenue and movements. 0 if amounts aren't converted",
  atRisk: 'Part of the closing revenue that comes from past-due subscriptions',
  arr: 'Annual recurring revenue: 12 times the closing revenue',
} as const;

/** GraphQL fields for movements, with their movement types. */
export const kindFields = {
  new: 'new',
  expansion: 'expansion',
  contraction: 'contraction',
  churn: 'churn',
  reactivation: 'reactivation',
  transferIn: 'transfer_in',
  transferOut: 'transfer_out',
} as const satisfies Readonly<Record<string, MovementSum['kind']>>;

const kindDescriptions: Readonly<Record<keyof typeof kindFields, string>> = {
  new: 'Revenue from customers who pay for the first time',
  expansion: 'Revenue gained from existing customers',
  contraction: 'Revenue lost from customers who still pay, 0 or negative',
  churn: 'Revenue lost from customers who no longer pay, 0 or negative',
  reactivation: 'Revenue from returning customers',
  transferIn: "Revenue that moved into the group from other groups. 0 if the series isn't grouped",
  transferOut:
    "Revenue that moved out of the group to other groups, 0 or negative. 0 if the series isn't grouped",
};

const ratios = {
  customerChurnBps: 'Churned customers ÷ paying customers at the start of the interval',
  grossChurnBps: '(Churn + contraction) ÷ opening revenue',
  netChurnBps: '(Churn + contraction − expansion) ÷ opening revenue. Negative if expansion is larger',
  quickRatioBps: '(New revenue + reactivation + expansion) ÷ (churn + contraction)',
} as const;

export const MrrPointType = builder.objectRef<MrrPoint>('MrrPoint').implement({
  description:
    'Monthly recurring revenue in one interval: the opening revenue, the closing revenue, and the movements in between.',
  fields: (t) => {
    const amount = (name: keyof typeof amounts) =>
      t
        .maybe(name, 'RATE')
        .describe(`${amounts[name]}. In ten-thousandths of the currency unit (10,000 = 1.00). ${missing}`);
    const moved = (name: keyof typeof kindFields) =>
      t.field({
        type: 'SafeInt',
        amount: 'RATE',
        nullable: true,
        description: `${kindDescriptions[name]}. In ten-thousandths of the currency unit (10,000 = 1.00). ${missing}`,
        resolve: ({ movements }) => movedOf(movements, kindFields[name]),
      });
    const ratio = (name: keyof typeof ratios) =>
      t.int({
        nullable: true,
        description: `${ratios[name]}. In basis points; 10,000 = 100%. \`null\` if the divisor is 0 or an exchange rate is missing.`,
        resolve: (point) => (point[name] === null ? null : Number(point[name])),
      });
    return {
      start: t.member('start', 'Date').describe('First day of the interval.'),
      end: t.member('end', 'Date').describe('Last day of the interval.'),
      isClosed: t.member('isClosed', 'Boolean').describe('Whether the last day of the interval has ended.'),
      opening: amount('opening'),
      closing: amount('closing'),
      movements: t
        .member('movements', [MrrMovementSumType])
        .describe(
          'Movements by type and reason. Opening revenue, movements, and `fxImpact` add up to closing revenue.',
        ),
      new: moved('new'),
      expansion: moved('expansion'),
      contraction: moved('contraction'),
      churn: moved('churn'),
      reactivation: moved('reactivation'),
      transferIn: moved('transferIn'),
      transferOut: moved('transferOut'),
      fxImpact: amount('fxImpact'),
      atRisk: amount('atRisk'),
      components: t.member('components', MrrComponentsType).describe('Components of the closing revenue.'),
      payingCustomers: t.int({
        description:
          'Number of customers with revenue at the end of the interval. A customer who pays in several currencies or groups is counted in each currency and group.',
        resolve: ({ payingCustomers }) => Number(payingCustomers),
      }),
      arr: amount('arr'),
      arpa: t
        .maybe('arpa', 'RATE')
        .describe(
          `Average revenue per account: closing revenue ÷ paying customers. In ten-thousandths of the currency unit (10,000 = 1.00). \`null\` if there are no paying customers or an exchange rate is missing.`,
        ),
      ltv: t
        .maybe('ltv', 'RATE')
        .describe(
          `Customer lifetime value: closing revenue ÷ paying customers ÷ average customer churn of the last 3 complete months. In ten-thousandths of the currency unit (10,000 = 1.00). \`null\` if there are no paying customers or there was no churn. Also \`null\` if the churn rate of a month or an exchange rate is missing.`,
        ),
      customerChurnBps: ratio('customerChurnBps'),
      grossChurnBps: ratio('grossChurnBps'),
      netChurnBps: ratio('netChurnBps'),
      quickRatioBps: ratio('quickRatioBps'),
    };
  },
});
