/**
 * Sources of sums: ledger transfers, changes to the prices of usage, outcomes of trials and dunning, changes in recurring revenue, and usage
 * events. Each environment has one cursor per source.
 */
export const sumSources = ['ledger', 'margin', 'outcomes', 'revenue', 'usage'] as const;

export type SumSource = (typeof sumSources)[number];
