import { entryOf, scheduleExpiry } from '../allowances/plan-grant-effects.ts';
import { planGrantUpdated } from '../allowances/plan-grant-events.ts';
import {
  endOf,
  findActive,
  type GrantCause,
  type GrantTerm,
  requestedDuration,
  termRejection,
  unknownGrant,
} from '../allowances/plan-grants.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed &
  GrantTerm &
  GrantCause & {
    readonly grantId: string;
  };

/**
 * Replaces the duration of an active plan grant. Billing periods are counted starting with the current period
 * (SUB-56). Fails if the grant isn't active or the expiration is in the past.
 */
export const grantUpdate = customerCommand({
  kind: 'grant.update',
  needs: () => ({}),
  decide(draft: Draft, command: Input): Decision {
    const found = findActive(draft, command.grantId);
    if (found === null) return draft.reject(unknownGrant);
    const { grant, subscription } = found;
    const rejection = termRejection(command, draft.now);
    if (rejection !== null) return draft.reject(rejection);
    const expiresAt = endOf(subscription, command, draft.now);
    const { reason, source } = command;
    const updated = draft.grants.patch(grant.id, {
      duration: command.duration,
      durationCycles: command.durationCycles,
      expiresAt,
      reason,
      timeline: [
        ...grant.timeline,
        entryOf(
          draft,
          { type: 'updated', reason, source, ...requestedDuration(command) },
          grant.expiresAt,
          expiresAt,
        ),
      ],
      updatedAt: draft.now,
    });
    scheduleExpiry(draft, subscription, updated);
    draft.emit(planGrantUpdated(draft.customer, updated));
    return draft.done('done', subscription.id);
  },
});
