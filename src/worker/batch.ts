import type { AttemptRow } from '../domain/attempt.ts';

/** What came of a batch: how many deadlines it looked at, 0 when there was nothing to do, and the attempts to be made after its commit. */
export type Batch = { readonly looked: number; readonly attempts: readonly AttemptRow[] };

/** A batch that found nothing to do. */
export const nothingDue: Batch = { looked: 0, attempts: [] };
