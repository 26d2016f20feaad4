import { type MovementSum, type MrrPoint, movedOf } from '../../../domain/metrics/mrr-series.ts';
import type { MrrComponents } from '../../../domain/metrics/recurring.ts';
import { builder } from '../../../graphql/builder.ts';
import { MrrMovementKind, MrrReason } from '../enums.ts';

const missing = 'null where an exchange rate is missing';

const MrrMovementSumType = builder.objectRef<MovementSum>('MrrMovementSum').implement({
  description: 'What moved in one span, for one kind and reason.',
  fields: (t) => ({
    kind: t.expose('kind', { type: MrrMovementKind, description: 'What it did.' }),
    reason: t.field({
      type: MrrReason,
      description: 'Why it moved.',
      // The values of the column are those of the enum.
      resolve: ({ reason }) => reason as typeof MrrReason.$inferType,
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'RATE',
      nullable: true,
      description: `By how much, below 0 for contraction, churn and transfers out; ${missing}.`,
    }),
    customers: t.int({
      description: 'How many customers, each once a day.',
      resolve: ({ customers }) => Number(customers),
    }),
  }),
});

const componentDescriptions: Readonly<Record<keyof MrrComponents, string>> = {
  base: 'Plan bases before discounts',
  discount: 'Discounts, 0 or less',
  seats: 'Seats beyond the included ones',
  quota: 'Quota beyond the included one',
  addons: 'Base prices of add-ons',
};

export const MrrComponentsType = builder.objectRef<MrrPoint['components']>('MrrComponents').implement({
  description: 'The parts of monthly recurring revenue. They add up to it.',
  fields: (t) => {
    const part = (name: keyof MrrComponents) =>
      t.expose(name, {
        type: 'SafeInt',
        amount: 'RATE',
        nullable: true,
        description: `${componentDescriptions[name]}; ${missing}.`,
      });
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
  opening: 'Monthly recurring revenue at the end of the day before',
  closing: 'The same at the end of its last day, or now',
  fxImpact: 'What exchange rates changed: closing less opening and movements. 0 without conversion',
  atRisk: 'What of the closing revenue is past due',
  arr: 'Twelve times the closing revenue',
} as const;

/** What moved by kind: the name of the field, and its movements. */
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
  new: 'Revenue of customers who pay for the first time',
  expansion: 'More revenue of customers who paid before',
  contraction: 'Less revenue of customers who still pay, 0 or less',
  churn: 'Revenue of customers who left, 0 or less',
  reactivation: 'Revenue of customers who came back',
  transferIn: 'What moved here from other groups; 0 without groups',
  transferOut: 'What moved from here to other groups, 0 or less; 0 without groups',
};

const ratios = {
  customerChurnBps: 'Customers who left ÷ paying customers at the opening',
  grossChurnBps: 'Churn and contraction ÷ opening',
  netChurnBps: 'Churn and contraction less expansion ÷ opening; negative when expansion wins',
  quickRatioBps: 'New, reactivation and expansion ÷ churn and contraction',
} as const;

export const MrrPointType = builder.objectRef<MrrPoint>('MrrPoint').implement({
  description: 'Monthly recurring revenue over one span of days: at both ends, and what moved in between.',
  fields: (t) => {
    const amount = (name: keyof typeof amounts) =>
      t.expose(name, {
        type: 'SafeInt',
        amount: 'RATE',
        nullable: true,
        description: `${amounts[name]}; ${missing}.`,
      });
    const moved = (name: keyof typeof kindFields) =>
      t.field({
        type: 'SafeInt',
        amount: 'RATE',
        nullable: true,
        description: `${kindDescriptions[name]}; ${missing}.`,
        resolve: ({ movements }) => movedOf(movements, kindFields[name]),
      });
    const ratio = (name: keyof typeof ratios) =>
      t.int({
        nullable: true,
        description: `${ratios[name]}, basis points; null where it would divide by 0 or an exchange rate is missing.`,
        resolve: (point) => (point[name] === null ? null : Number(point[name])),
      });
    return {
      start: t.expose('start', { type: 'Date', description: 'Its first day.' }),
      end: t.expose('end', { type: 'Date', description: 'Its last day.' }),
      isClosed: t.exposeBoolean('isClosed', { description: 'Whether its last day is over.' }),
      opening: amount('opening'),
      closing: amount('closing'),
      movements: t.field({
        type: [MrrMovementSumType],
        description:
          'What moved, by kind and reason. With `fxImpact` it leads from the opening to the closing.',
        resolve: ({ movements }) => [...movements],
      }),
      new: moved('new'),
      expansion: moved('expansion'),
      contraction: moved('contraction'),
      churn: moved('churn'),
      reactivation: moved('reactivation'),
      transferIn: moved('transferIn'),
      transferOut: moved('transferOut'),
      fxImpact: amount('fxImpact'),
      atRisk: amount('atRisk'),
      components: t.expose('components', {
        type: MrrComponentsType,
        description: 'The parts of the closing.',
      }),
      payingCustomers: t.int({
        description:
          'Customers with revenue above 0 at the closing. One who pays in several currencies, or groups, counts in each.',
        resolve: ({ payingCustomers }) => Number(payingCustomers),
      }),
      arr: amount('arr'),
      arpa: t.expose('arpa', {
        type: 'SafeInt',
        amount: 'RATE',
        nullable: true,
        description: `Closing ÷ paying customers; null without any, and ${missing}.`,
      }),
      ltv: t.expose('ltv', {
        type: 'SafeInt',
        amount: 'RATE',
        nullable: true,
        description: `Closing ÷ paying customers ÷ mean customer churn of the last three months that are over; null with fewer, without churn, and ${missing}.`,
      }),
      customerChurnBps: ratio('customerChurnBps'),
      grossChurnBps: ratio('grossChurnBps'),
      netChurnBps: ratio('netChurnBps'),
      quickRatioBps: ratio('quickRatioBps'),
    };
  },
});
