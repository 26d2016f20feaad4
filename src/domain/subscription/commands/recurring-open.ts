import { counts } from '../../metrics/recurring.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Gives subscriptions in force that are older than the entries of recurring revenue the terms of their running period, so that an entry says what
 * they amount to (MET-12). Changes nothing else.
 */
export const recurringOpen = customerCommand({
  kind: 'recurring.open',
  needs: (_input: Timed) => ({}),
  decide(draft: Draft): Decision {
    // What the decision does to recurring revenue is recorded after it, for subscriptions it touches.
    for (const row of draft.subscriptions.all())
      if (counts(row) && row.recurring === null) draft.subscriptions.patch(row.id, {});
    return draft.done('done', null);
  },
});
