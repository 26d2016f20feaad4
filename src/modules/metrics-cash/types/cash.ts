import type { CashFigure } from '../../../domain/metrics/cash.ts';
import { type AgeingSpan, ageingSpans } from '../../../domain/metrics/receivables.ts';
import { builder } from '../../../graphql/builder.ts';
import { restView } from '../../../graphql/rest.ts';
import { Currency } from '../../currencies/enums.ts';
import { MissingRate } from '../../fx-rates/types.ts';
import { MetricGroup } from '../../metric-ranges/types.ts';
import type { BilledPoint, BilledSeries, CashPoint, CashSeries } from '../compute-cash.ts';
import type { Receivables } from '../compute-receivables.ts';

const missing = 'null where an exchange rate is missing';

const headView = 'currency isConverted isComplete missingRates { currency day }';

const cashDescriptions: Readonly<Record<CashFigure, string>> = {
  collected: 'Settled charges',
  refunded: 'Refunds, tax included',
  disputesLost: 'What lost disputes took',
  netCash: 'What was collected, less refunds and lost disputes',
  fees: 'What processors kept; kept in US cents, so 0 in other currencies unless converted',
  settledOutside: 'Invoices that were paid outside the platform',
  writtenOff: 'Invoices given up, and those too small to charge',
};

const CashPointType = builder.objectRef<CashPoint>('CashPoint').implement({
  description: 'Cash of one span of days.',
  fields: (t) => {
    const figure = (name: CashFigure) =>
      t.expose(name, {
        type: 'SafeInt',
        amount: 'MINOR',
        nullable: true,
        description: `${cashDescriptions[name]}, minor units; ${missing}.`,
      });
    return {
      start: t.expose('start', { type: 'Date', description: 'Its first day.' }),
      end: t.expose('end', { type: 'Date', description: 'Its last day.' }),
      isClosed: t.exposeBoolean('isClosed', { description: 'Whether its last day is over.' }),
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
  description:
    'Cash in one currency, point by point. Each figure is the sum of the ledger transfers behind it.',
  fields: (t) => ({
    currency: t.field({ type: Currency, description: 'The currency.', resolve: ({ currency }) => currency }),
    isConverted: t.exposeBoolean('isConverted', {
      description: 'Whether other currencies were converted into it.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False while more transfers wait to be added up than a read adds.',
    }),
    missingRates: t.field({
      type: [MissingRate],
      description: 'The exchange rates it lacks.',
      resolve: ({ missingRates }) => [...missingRates],
    }),
    points: t.field({
      type: [CashPointType],
      description: 'Its points, the earliest first.',
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
  description: 'What one span of days billed.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Date', description: 'Its first day.' }),
    end: t.expose('end', { type: 'Date', description: 'Its last day.' }),
    isClosed: t.exposeBoolean('isClosed', { description: 'Whether its last day is over.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      nullable: true,
      description: `Invoices issued less those voided, before tax and after discounts, minor units; ${missing}.`,
    }),
  }),
});

export const BilledSeriesType = builder.objectRef<BilledSeries>('BilledSeries').implement({
  description: 'Billed amounts in one currency, and of one group where they are grouped.',
  fields: (t) => ({
    currency: t.field({ type: Currency, description: 'The currency.', resolve: ({ currency }) => currency }),
    isConverted: t.exposeBoolean('isConverted', {
      description: 'Whether other currencies were converted into it.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False while more transfers wait to be added up than a read adds.',
    }),
    missingRates: t.field({
      type: [MissingRate],
      description: 'The exchange rates the series of the answer lack.',
      resolve: ({ missingRates }) => [...missingRates],
    }),
    group: t.expose('group', {
      type: MetricGroup,
      nullable: true,
      description: 'What its amounts have in common; null without groups.',
    }),
    points: t.field({
      type: [BilledPointType],
      description: 'Its points, the earliest first.',
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
  notDue: 'Not due, or due on the day',
  d1To30: 'Due for 1 to 30 days',
  d31To60: 'Due for 31 to 60 days',
  d61To90: 'Due for 61 to 90 days',
  d91: 'Due for 91 days or longer',
};

export const ReceivablesType = builder.objectRef<Receivables>('Receivables').implement({
  description: 'What customers owe at the end of a day in one currency, by how long it is due.',
  fields: (t) => {
    const span = (name: AgeingSpan) =>
      t.expose(name, {
        type: 'SafeInt',
        amount: 'MINOR',
        nullable: true,
        description: `${ageingDescriptions[name]}, minor units; ${missing}.`,
      });
    return {
      currency: t.field({
        type: Currency,
        description: 'The currency.',
        resolve: ({ currency }) => currency,
      }),
      isConverted: t.exposeBoolean('isConverted', {
        description: 'Whether other currencies were converted into it.',
      }),
      isComplete: t.exposeBoolean('isComplete', {
        description: 'False while more transfers wait to be added up than a read adds.',
      }),
      missingRates: t.field({
        type: [MissingRate],
        description: 'The exchange rates it lacks.',
        resolve: ({ missingRates }) => [...missingRates],
      }),
      day: t.expose('day', { type: 'Date', description: 'The day.' }),
      isClosed: t.exposeBoolean('isClosed', { description: 'Whether the day is over.' }),
      notDue: span('notDue'),
      d1To30: span('d1To30'),
      d31To60: span('d31To60'),
      d61To90: span('d61To90'),
      d91: span('d91'),
      total: t.expose('total', {
        type: 'SafeInt',
        amount: 'MINOR',
        nullable: true,
        description: `All of it, the receivable account of the ledger, minor units; ${missing}.`,
      }),
      daysSalesOutstanding: t.expose('daysSalesOutstanding', {
        type: 'SafeInt',
        nullable: true,
        description:
          'Receivables divided by what the 90 days that end with the day billed, times 90, in whole days; null where they billed nothing.',
      }),
    };
  },
});

restView(
  'Receivables',
  'Receivables',
  `${headView} day isClosed ${ageingSpans.map(([name]) => name).join(' ')} total daysSalesOutstanding`,
);
