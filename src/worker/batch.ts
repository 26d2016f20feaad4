import type { AttemptRow } from '../domain/subscription/payments/charge-attempt.ts';

/** Result of a batch: the number of processed deadlines (`looked`), and the provider calls to make after the commit (`attempts`). */
export type Batch = { readonly looked: number; readonly attempts: readonly AttemptRow[] };

export const nothingDue: Batch = { looked: 0, attempts: [] };
