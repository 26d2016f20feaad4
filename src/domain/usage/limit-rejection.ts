import { type Rejection, specificRejection } from '../errors/errors.ts';
import { rejecting, roomOf, type Tried } from '../limits/admission.ts';
import { limitEntry } from '../limits/entry.ts';
import { usageApproval } from '../limits/usage-approval.ts';
import { isCustom } from '../pricing/pools.ts';
import { wholePart, zero } from '../rates/exact.ts';
import type { UsageTerms } from './terms.ts';

/** Returns the rejection of a movement by the plan, with the stored limits that reject the movement, too. */
export function withLimits(rejection: Rejection, tried: readonly Tried[]): Rejection {
  const limits = rejecting(tried).map(limitEntry);
  if (limits.length === 0) return rejection;
  return { ...rejection, details: { ...(rejection.details as object | undefined), limits } };
}

/** Returns the error of a movement that limits reject. `null` if all limits accept it. */
export function limitRejection(tried: readonly Tried[], terms: UsageTerms): Rejection | null {
  const rejected = rejecting(tried);
  const [first] = rejected;
  if (first === undefined) return null;
  const { used } = first.gauge;
  const details = {
    ...(first.limit.action === 'approve'
      ? { reason: 'approval_required', approvalId: usageApproval(first).id }
      : { reason: 'limit_reached' }),
    limits: rejected.map(limitEntry),
    current: Number(used.numerator < 0n ? 0n : wholePart(used)),
    included: Number((first.limit.amount ?? 0n) + first.raise),
    remaining: Number(wholePart(roomOf(first) ?? zero)),
  };
  const { pool } = terms;
  if (pool === null) return specificRejection('included_limit_reached', 'limit', { details });
  return isCustom(pool.pool)
    ? specificRejection('insufficient_credits', 'limit', { details })
    : specificRejection('insufficient_balance', 'limit', { details });
}
