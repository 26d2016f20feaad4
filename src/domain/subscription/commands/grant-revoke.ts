import { endGrant } from '../allowances/plan-grant-effects.ts';
import { findActive, type GrantCause, unknownGrant } from '../allowances/plan-grants.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed &
  GrantCause & {
    readonly grantId: string;
  };

/** Ends an active plan grant immediately (SUB-56). Fails with `not_found` if the grant isn't active. */
export const grantRevoke = customerCommand({
  kind: 'grant.revoke',
  needs: () => ({}),
  decide(draft: Draft, { grantId, reason, source }: Input): Decision {
    const found = findActive(draft, grantId);
    if (found === null) return draft.reject(unknownGrant);
    endGrant(draft, found.subscription, found.grant, { type: 'revoked', reason, source });
    return draft.done('done', found.subscription.id);
  },
});
