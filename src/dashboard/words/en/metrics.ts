import type { Values } from '../words.ts';

/** Words of the metrics of money. */
export const metrics = {
  subtitle: 'Recurring revenue, and what the business collects, bills and is owed.',
  range: 'Days',
  interval: 'By',
  intervals: { day: 'Day', week: 'Week', month: 'Month', quarter: 'Quarter', year: 'Year' },
  currency: 'Currency',
  cash: 'Net cash',
  cashText: 'Collected, less refunds and lost disputes.',
  collected: 'Collected',
  returned: 'Refunded and lost in disputes',
  netCash: 'Net cash',
  billed: 'Billed by plan',
  billedText: 'Before tax and after discounts, less what was voided.',
  noPlan: 'Without a plan',
  others: 'Other plans',
  receivables: 'Receivables',
  receivablesText: ({ day }: Values<'day'>) =>
    `What customers owe at the end of ${day}, by the days it is past due.`,
  total: 'All receivables',
  daysOutstanding: 'Days sales outstanding',
  days: ({ count }: Values<'count'>) => `${count} days`,
  ageing: {
    notDue: 'Not due',
    d1To30: '1–30',
    d31To60: '31–60',
    d61To90: '61–90',
    d91: '91+',
  },
  recovery: 'Recovery of failed payments',
  recoveryText: 'By the day of the first failure. Recovered among those that ended.',
  recoveryRate: 'Recovered',
  outcomes: {
    recovered: 'Recovered',
    exhausted: 'Given up',
    canceled: 'Canceled',
    voided: 'Voided',
    open: 'Still collected',
  },
  invoices: ({ count }: Values<'count'>) => `${count} invoices`,
  missingRates: ({ currencies }: Values<'currencies'>) =>
    `Exchange rates are missing for ${currencies}. Figures that need them are shown as 0.`,
  incomplete: 'Sums are still being made; figures of the latest days are not complete.',
  nothingBilled: 'Nothing was billed in these days',
  nothingFailed: 'No payment failed in these days',
  nothingOwed: 'Nobody owes anything',
};
