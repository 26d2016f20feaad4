import { mrrOf } from '../../../src/domain/metrics/recurring.ts';
import type { World } from '../subscription/world.ts';

/** Formats each MRR entry as day, reason, and change. */
export const entries = ({ mrr }: World): string[] =>
  mrr.map(
    ({ occurredAt, reason, before, after }) =>
      `${occurredAt.toISOString().slice(0, 10)} ${reason} ${mrrOf(before)} → ${mrrOf(after)}`,
  );
