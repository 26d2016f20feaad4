// Approvals of usage that limits with the action `approve` reject.
import { minus, roundedUp, whole } from '../rates/exact.ts';
import { dayMs } from '../time/period.ts';
import { mostOf, type Tried, valueAfter } from './admission.ts';
import type { LimitStateRow } from './limit.ts';
import { shownStart } from './windows.ts';

/** Approval of a movement. `raise` is the amount that the limit lacks, and `mark` a number that identifies the request. */
export type UsageApproval = {
  readonly id: string;
  readonly limitId: string;
  readonly customerId: string;
  readonly budgetKey: string | null;
  readonly raise: bigint;
  readonly mark: number;
};

/** SHA-256 hash that identifies the request of an approval, and the real time from which the approval can't be decided. */
export type ApprovalTerms = { readonly previewHash: string; readonly expiresAt: Date };

export type RequestedApproval = UsageApproval & ApprovalTerms;

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';
const bits = 128n;
const prime = 309_485_009_821_345_068_724_781_371n;
const offset = 144_066_263_297_769_815_596_495_629_667_062_367_629n;

/** Returns the 128-bit FNV-1a hash of a text. */
function hashOf(text: string): bigint {
  let hash = offset;
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(Number(bits), (hash ^ BigInt(byte)) * prime);
  return hash;
}

function idOf(hash: bigint): string {
  let text = '';
  for (let rest = hash, digit = 0; digit < 22; digit++) {
    text += digits.charAt(Number(rest % BigInt(digits.length)));
    rest /= BigInt(digits.length);
  }
  return `apr_${text}`;
}

/** Returns the approval of a movement that a limit rejects. Equal movements in a window have the same approval for a day. */
export function usageApproval(tried: Tried): UsageApproval {
  const { limit, node, gauge, at } = tried;
  const most = mostOf(tried) ?? 0n;
  const raise = roundedUp(minus(valueAfter(tried), whole(most)));
  const start = shownStart(gauge.span) ?? 0;
  const hash = hashOf(
    JSON.stringify([limit.id, node.id, start, Math.floor(at / dayMs), String(most), String(raise)]),
  );
  return {
    id: idOf(hash),
    limitId: limit.id,
    customerId: node.customerId,
    budgetKey: node.key,
    raise: raise < 1n ? 1n : raise,
    mark: Number(hash % 9_007_199_254_740_991n),
  };
}

/**
 * Returns the approval of a rejected movement with the state that records the request. `null` if the limit doesn't ask for approvals, or if
 * the approval was requested before.
 */
export function askFor(
  tried: Tried,
  state: LimitStateRow,
): { readonly approval: UsageApproval; readonly state: LimitStateRow } | null {
  const { limit } = tried;
  if (limit.action !== 'approve') return null;
  const approval = usageApproval(tried);
  const name = `${limit.id} approval`;
  return state.reached[name] === approval.mark
    ? null
    : { approval, state: { ...state, reached: { ...state.reached, [name]: approval.mark } } };
}
