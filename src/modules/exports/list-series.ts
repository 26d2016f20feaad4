import type { ScopeAccess } from '../../graphql/access.ts';

/** A series as a file: a root field that works it out, and which of its lists has the rows. */
export type SeriesKind = {
  readonly description: string;
  /** The root field. Its arguments are the filter of the kind. */
  readonly field: string;
  /** The lists that lead from an element of the field to a row; empty where an element is a row. */
  readonly rows: readonly string[];
  /** What members above the rows are called where rows have others of their name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** What a caller needs, which is what the field demands. */
  readonly access: ScopeAccess;
};

type Terms = Pick<SeriesKind, 'description' | 'field'> & Partial<SeriesKind>;

const series = (terms: Terms): SeriesKind => ({ rows: ['points'], access: { scope: 'finance' }, ...terms });

/** The series that can be exported, by the names of their kinds. */
export const seriesKinds = {
  metrics_mrr: series({
    description: 'Monthly recurring revenue: a row per span of days.',
    field: 'metricsMrr',
  }),
  metrics_mrr_movements: series({
    description: 'What moved the monthly recurring revenue: a row per span of days, kind and reason.',
    field: 'metricsMrr',
    rows: ['points', 'movements'],
  }),
  metrics_retention: series({
    description: 'What was left of the customers of some months before: a row per currency.',
    field: 'metricsRetention',
    rows: [],
  }),
  metrics_cohorts: series({
    description: 'What was left of the customers of each month: a row per month since.',
    field: 'metricsCohorts',
    rows: ['cells'],
    aliases: { month: 'cohort' },
  }),
  metrics_cash: series({
    description: 'Collected, refunded and written off: a row per span of days.',
    field: 'metricsCash',
  }),
  metrics_billed: series({
    description: 'Billed before tax: a row per span of days.',
    field: 'metricsBilled',
  }),
  metrics_receivables: series({
    description: 'What customers owe by how long it is due: a row per currency.',
    field: 'metricsReceivables',
    rows: [],
  }),
  metrics_recovery: series({
    description: 'What became of failed collections: a row per span of days.',
    field: 'metricsRecovery',
  }),
  metrics_trials: series({
    description: 'Trials and what became of them: a row per span of days.',
    field: 'metricsTrials',
  }),
  metrics_scheduled: series({
    description: 'Scheduled changes of recurring revenue: a row per day and currency.',
    field: 'metricsScheduled',
    rows: ['series', 'days'],
    aliases: { amount: 'rangeAmount', trialMrr: 'rangeTrialMrr' },
  }),
  metrics_usage: series({
    description: 'Usage: a row per span of days.',
    field: 'metricsUsage',
    access: { scope: 'read' },
  }),
  fx_rates: series({
    description: 'Exchange rates: a row per day.',
    field: 'fxRates',
    rows: [],
  }),
  ledger_accounts: series({
    description: 'Balances of the accounts of the ledger.',
    field: 'ledgerAccounts',
    rows: [],
    access: { scope: 'read' },
  }),
} as const satisfies Readonly<Record<string, SeriesKind>>;
