import { counts } from '../../metrics/recurring.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Records recurring revenue for active subscriptions that were created before recurring revenue entries
 * existed (MET-12). Changes nothing else.
 */
export const recurringOpen = customerCommand({
  kind: 'recurring.open',
  needs: (_input: Timed) => ({}),
  decide(draft: Draft): Decision {
    // `recordRecurring` runs after the command for every subscription with a patch, so an empty patch is
    // enough.
    for (const row of draft.subscriptions.all())
      if (counts(row) && row.recurring === null) draft.subscriptions.patch(row.id, {});
    return draft.done('done', null);
  },
});
