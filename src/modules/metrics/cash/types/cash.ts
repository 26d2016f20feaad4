import type { CashFigure } from '../../../../domain/metrics/cash.ts';
import { type AgeingSpan, ageingSpans } from '../../../../domain/metrics/receivables.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { MissingRate } from '../../fx-rates/types.ts';
import { MetricGroup } from '../../ranges/types.ts';
import type { BilledPoint, BilledSeries, CashPoint, CashSeries } from '../compute-cash.ts';
import type { Receivables } from '../compute-receivables.ts';

const missing = '`null` if an exchange rate is missing.';

const headView = 'currency isConverted isComplete missingRates { currency day }';

const cashDescriptions: Readonly<Record<CashFigure, string>> = {
  collected: 'Amount of successful charges',
  refunded: 'Refunded amount including tax',
  disputesLost: 'Amounts lost in disputes',
  netCash: 'Collected amount minus refunds and lost disputes',
  fees: 'Fees of payment providers. Recorded in US cents, so 0 in other currencies unless converted',
  settledOutside: 'Amount of invoices paid outside Quittance',
  writtenOff: 'Amount of invoices that are uncollectible or below the minimum charge',
};

const CashPointType = builder.objectRef<CashPoint>('CashPoint').implement({
  description: 'Cash movements in one interval.',
  fields: (t) => {
    const figure = (name: CashFigure) =>
      t.expose(name, {
        type: 'SafeInt',
        amount: 'MINOR',
        nullable: true,
        description: `${cashDescriptions[name]}. In the smallest currency unit, such as cents. ${missing}`,
      });
    return {
      start: t.expose('start', { type: 'Date', description: 'First day of the interval.' }),
      end: t.expose('end', { type: 'Date', description: 'Last day of the interval.' }),
      isClosed: t.exposeBoolean('isClosed', {
        description: 'Whether the last day of the interval has ended.',
      }),
      collected: figure('collected'),
      refunded: figure('refunded'),
      disputesLost: figure('disputesLost'),
      netCash: figure('netCash'),
      fees: figure('fees'),
      settledOutside: figure('settledOutside'),
      writtenOff: figure('writtenOff'),
    };
  },
});

export const CashSeriesType = builder.objectRef<CashSeries>('CashSeries').implement({
  description: 'Cash movements in one currency. Each value is the sum of its ledger transfers.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts.',
      resolve: ({ currency }) => currency,
    }),
    isConverted: t.exposeBoolean('isConverted', {
      description: 'Whether amounts in other currencies were converted to this currency.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description:
        '`false` if the values are incomplete because too many transfers are waiting to be processed.',
    }),
    missingRates: t.field({
      type: [MissingRate],
      description: 'Missing exchange rates.',
      resolve: ({ missingRates }) => [...missingRates],
    }),
    points: t.field({
      type: [CashPointType],
      description: 'Points of the series, oldest first.',
      resolve: ({ points }) => [...points],
    }),
  }),
});

restView(
  'CashSeries',
  'CashSeries',
  `${headView} points { start end isClosed collected refunded disputesLost netCash fees settledOutside writtenOff }`,
);

const BilledPointType = builder.objectRef<BilledPoint>('BilledPoint').implement({
  description: 'Billed amount in one interval.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Date', description: 'First day of the interval.' }),
    end: t.expose('end', { type: 'Date', description: 'Last day of the interval.' }),
    isClosed: t.exposeBoolean('isClosed', { description: 'Whether the last day of the interval has ended.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      nullable: true,
      description: `Amount of issued invoices minus voided invoices, after discounts and before tax. In the smallest currency unit, such as cents. ${missing}`,
    }),
  }),
});

export const BilledSeriesType = builder.objectRef<BilledSeries>('BilledSeries').implement({
  description: 'Billed amounts in one currency and, if the series is grouped, for one group.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts.',
      resolve: ({ currency }) => currency,
    }),
    isConverted: t.exposeBoolean('isConverted', {
      description: 'Whether amounts in other currencies were converted to this currency.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description:
        '`false` if the values are incomplete because too many transfers are waiting to be processed.',
    }),
    missingRates: t.field({
      type: [MissingRate],
      description: 'Missing exchange rates.',
      resolve: ({ missingRates }) => [...missingRates],
    }),
    group: t.expose('group', {
      type: MetricGroup,
      nullable: true,
      description: "Group of the series. `null` if the series isn't grouped.",
    }),
    points: t.field({
      type: [BilledPointType],
      description: 'Points of the series, oldest first.',
      resolve: ({ points }) => [...points],
    }),
  }),
});

restView(
  'BilledSeries',
  'BilledSeries',
  `${headView} group { key name } points { start end isClosed amount }`,
);

const ageingDescriptions: Readonly<Record<AgeingSpan, string>> = {
  notDue: "Amount that isn't overdue",
  d1To30: 'Amount that is 1 to 30 days overdue',
  d31To60: 'Amount that is 31 to 60 days overdue',
  d61To90: 'Amount that is 61 to 90 days overdue',
  d91: 'Amount that is at least 91 days overdue',
};

export const ReceivablesType = builder.objectRef<Receivables>('Receivables').implement({
  description: 'Outstanding amounts of customers at the end of a day, in one currency, by days past due.',
  fields: (t) => {
    const span = (name: AgeingSpan) =>
      t.expose(name, {
        type: 'SafeInt',
        amount: 'MINOR',
        nullable: true,
        description: `${ageingDescriptions[name]}, in the smallest currency unit, such as cents. ${missing}`,
      });
    return {
      currency: t.field({
        type: Currency,
        description: 'Currency of the amounts.',
        resolve: ({ currency }) => currency,
      }),
      isConverted: t.exposeBoolean('isConverted', {
        description: 'Whether amounts in other currencies were converted to this currency.',
      }),
      isComplete: t.exposeBoolean('isComplete', {
        description:
          '`false` if the values are incomplete because too many transfers are waiting to be processed.',
      }),
      missingRates: t.field({
        type: [MissingRate],
        description: 'Missing exchange rates.',
        resolve: ({ missingRates }) => [...missingRates],
      }),
      day: t.expose('day', {
        type: 'Date',
        description: 'Day of the amounts. The amounts are as of the end of this day.',
      }),
      isClosed: t.exposeBoolean('isClosed', { description: 'Whether the day has ended.' }),
      notDue: span('notDue'),
      d1To30: span('d1To30'),
      d31To60: span('d31To60'),
      d61To90: span('d61To90'),
      d91: span('d91'),
      total: t.expose('total', {
        type: 'SafeInt',
        amount: 'MINOR',
        nullable: true,
        description: `Total outstanding amount, in the smallest currency unit, such as cents. Equals the balance of the ledger's receivable account. ${missing}`,
      }),
      daysSalesOutstanding: t.expose('daysSalesOutstanding', {
        type: 'SafeInt',
        nullable: true,
        description:
          'Days sales outstanding: receivables ÷ amount billed in the 90 days up to and including `day`, times 90. In whole days. `null` if the billed amount is 0 or less, or an exchange rate is missing.',
      }),
    };
  },
});

restView(
  'Receivables',
  'Receivables',
  `${headView} day isClosed ${ageingSpans.map(([name]) => name).join(' ')} total daysSalesOutstanding`,
);
