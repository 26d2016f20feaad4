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
  fees: 'Payment provider fees. Recorded in US dollars, so the value is 0 for other currencies unless amounts are converted',
  settledOutside: 'Amount of invoices paid outside Quittance',
  writtenOff: 'Amount of invoices that are uncollectible or below the minimum charge',
};

const CashPointType = builder.objectRef<CashPoint>('CashPoint').implement({
  description: 'Cash movements in one interval.',
  fields: (t) => {
    const figure = (name: CashFigure) =>
      t
        .maybe(name, 'MINOR')
        .describe(`${cashDescriptions[name]}. In the smallest currency unit, such as cents. ${missing}`);
    return {
      start: t.member('start', 'Date').describe('First day of the interval.'),
      end: t.member('end', 'Date').describe('Last day of the interval.'),
      isClosed: t.member('isClosed', 'Boolean').describe('Whether the last day of the interval has ended.'),
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
  description: 'Cash movements in one currency. Each value is a sum of ledger transfers.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    isConverted: t
      .member('isConverted', 'Boolean')
      .describe('Whether amounts in other currencies were converted to this currency.'),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe(
        '`false` if the values are incomplete because too many transfers are waiting to be processed.',
      ),
    missingRates: t
      .member('missingRates', [MissingRate])
      .describe('Exchange rates that are missing for the conversion.'),
    points: t.member('points', [CashPointType]).describe('Points of the series, oldest first.'),
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
    start: t.member('start', 'Date').describe('First day of the interval.'),
    end: t.member('end', 'Date').describe('Last day of the interval.'),
    isClosed: t.member('isClosed', 'Boolean').describe('Whether the last day of the interval has ended.'),
    amount: t
      .maybe('amount', 'MINOR')
      .describe(
        `Amount of issued invoices minus voided invoices, after discounts and before tax. In the smallest currency unit, such as cents. ${missing}`,
      ),
  }),
});

export const BilledSeriesType = builder.objectRef<BilledSeries>('BilledSeries').implement({
  description: 'Billed amounts in one currency and, if the series is grouped, for one group.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    isConverted: t
      .member('isConverted', 'Boolean')
      .describe('Whether amounts in other currencies were converted to this currency.'),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe(
        '`false` if the values are incomplete because too many transfers are waiting to be processed.',
      ),
    missingRates: t
      .member('missingRates', [MissingRate])
      .describe('Exchange rates that are missing for the conversion.'),
    group: t.maybe('group', MetricGroup).describe("Group of the series. `null` if the series isn't grouped."),
    points: t.member('points', [BilledPointType]).describe('Points of the series, oldest first.'),
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
  description:
    "Customers' outstanding amounts at the end of a day, in one currency, grouped by days past due.",
  fields: (t) => {
    const span = (name: AgeingSpan) =>
      t
        .maybe(name, 'MINOR')
        .describe(`${ageingDescriptions[name]}, in the smallest currency unit, such as cents. ${missing}`);
    return {
      currency: t.member('currency', Currency).describe('Currency of the amounts.'),
      isConverted: t
        .member('isConverted', 'Boolean')
        .describe('Whether amounts in other currencies were converted to this currency.'),
      isComplete: t
        .member('isComplete', 'Boolean')
        .describe(
          '`false` if the values are incomplete because too many transfers are waiting to be processed.',
        ),
      missingRates: t
        .member('missingRates', [MissingRate])
        .describe('Exchange rates that are missing for the conversion.'),
      day: t
        .member('day', 'Date')
        .describe('Day for which the amounts were calculated, as of the end of the day.'),
      isClosed: t.member('isClosed', 'Boolean').describe('Whether the day has ended.'),
      notDue: span('notDue'),
      d1To30: span('d1To30'),
      d31To60: span('d31To60'),
      d61To90: span('d61To90'),
      d91: span('d91'),
      total: t
        .maybe('total', 'MINOR')
        .describe(
          `Total outstanding amount, in the smallest currency unit, such as cents. Equals the balance of the ledger's receivable account. ${missing}`,
        ),
      daysSalesOutstanding: t
        .maybe('daysSalesOutstanding', 'SafeInt')
        .describe(
          'Days sales outstanding: receivables ÷ amount billed in the 90 days up to and including `day`, times 90. In whole days. `null` if the billed amount is 0 or less, or an exchange rate is missing.',
        ),
    };
  },
});

restView(
  'Receivables',
  'Receivables',
  `${headView} day isClosed ${ageingSpans.map(([name]) => name).join(' ')} total daysSalesOutstanding`,
);
