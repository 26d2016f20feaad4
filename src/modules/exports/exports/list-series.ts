import { financeAccess, type ScopeAccess } from '../../../graphql/declare/access.ts';

/** Export type for a computed series: its GraphQL root field, and the list that contains the rows. */
export type SeriesKind = {
  readonly description: string;
  /** Name of the GraphQL root field, whose arguments are the export's filter. */
  readonly field: string;
  /** Path of list fields from an element of the root field to a row. Empty if each element is a row. */
  readonly rows: readonly string[];
  /** Column names for fields of parent objects that have the same name as a field of the row. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Access required for the export. Equal to the access that the root field requires. */
  readonly access: ScopeAccess;
};

type Terms = Pick<SeriesKind, 'description' | 'field'> & Partial<SeriesKind>;

const series = (terms: Terms): SeriesKind => ({ rows: ['points'], access: financeAccess, ...terms });

/** Exportable series, by export type. */
export const seriesKinds = {
  metrics_mrr: series({
    description: 'Monthly recurring revenue, with one row per interval.',
    field: 'metricsMrr',
  }),
  metrics_mrr_movements: series({
    description: 'Movements of monthly recurring revenue, with one row per interval, type, and reason.',
    field: 'metricsMrr',
    rows: ['points', 'movements'],
  }),
  metrics_retention: series({
    description: 'Retention of customers from an earlier month, with one row per currency.',
    field: 'metricsRetention',
    rows: [],
  }),
  metrics_cohorts: series({
    description: 'Retention of monthly customer cohorts, with one row per cohort and month.',
    field: 'metricsCohorts',
    rows: ['cells'],
    aliases: { month: 'cohort' },
  }),
  metrics_cash: series({
    description: 'Collected, refunded, and uncollectible amounts, with one row per interval.',
    field: 'metricsCash',
  }),
  metrics_billed: series({
    description: 'Billed amounts before tax, with one row per interval.',
    field: 'metricsBilled',
  }),
  metrics_receivables: series({
    description: "Customers' outstanding amounts by days past due, with one row per currency.",
    field: 'metricsReceivables',
    rows: [],
  }),
  metrics_recovery: series({
    description: 'Outcomes of invoices with failed payments, with one row per interval.',
    field: 'metricsRecovery',
  }),
  metrics_trials: series({
    description: 'Free trials and their outcomes, with one row per interval.',
    field: 'metricsTrials',
  }),
  metrics_scheduled: series({
    description: 'Scheduled changes in recurring revenue, with one row per day and currency.',
    field: 'metricsScheduled',
    rows: ['series', 'days'],
    aliases: { amount: 'rangeAmount', trialMrr: 'rangeTrialMrr' },
  }),
  metrics_usage: series({
    description: 'Usage, with one row per interval.',
    field: 'metricsUsage',
    access: { scope: 'read' },
  }),
  metrics_margin: series({
    description: 'Price, cost, and margin of usage, with one row per group and currency.',
    field: 'margin',
    rows: [],
  }),
  fx_rates: series({
    description: 'Exchange rates, with one row per day.',
    field: 'fxRates',
    rows: [],
  }),
  ledger_accounts: series({
    description: 'Balances of ledger accounts.',
    field: 'ledgerAccounts',
    rows: [],
  }),
} as const satisfies Readonly<Record<string, SeriesKind>>;
