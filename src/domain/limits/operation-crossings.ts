// Crossings of stored limits on operations (LIM-42). Limits of policies, and limits that every organization has, report none.
import { zero } from '../rates/exact.ts';
import { type LimitNode, type Tried, takenOf } from './admission.ts';
import { type Crossing, crossingsOf, reachedAfter, reachedCrossing } from './crossings.ts';
import type { ReachedWindows } from './limit.ts';
import type { OperationNode, TriedOperation } from './operation-limits.ts';

/** Crossings of a node, and its windows in which they are recorded. */
export type NodeCrossings = { readonly crossings: readonly Crossing[]; readonly reached: ReachedWindows };

/** Returns the node of operations. A customer has the same node for usage and for operations. */
function nodeOf({ kind, id }: OperationNode): LimitNode {
  if (kind === 'customer') return { id, customerId: id, key: null, path: [] };
  return { id, customerId: '', key: id, path: [], ...(kind === 'pricingTable' ? {} : { caller: kind }) };
}

/** Returns the stored limits at operations in the form of limits at usage. */
const storedOf = (tried: readonly TriedOperation[], node: OperationNode): Tried[] =>
  tried.flatMap(({ limit: { row, raise = 0n }, gauge, delta, at }) =>
    row === undefined
      ? []
      : [
          {
            limit: row,
            node: nodeOf(node),
            gauge,
            raise,
            delta,
            heldDelta: zero,
            at,
            rounded: null,
            fresh: null,
            freed: [],
            fall: null,
          },
        ],
  );

const recorded = (crossings: readonly Crossing[], reached: ReachedWindows): NodeCrossings => ({
  crossings,
  reached: crossings.reduce((windows, crossing) => reachedAfter(crossing, windows), reached),
});

/** Returns the crossings by an accepted operation. `reached` contains the recorded windows of the node. */
export const acceptedCrossings = (
  tried: readonly TriedOperation[],
  node: OperationNode,
  reached: ReachedWindows,
): NodeCrossings =>
  recorded(
    storedOf(tried, node).flatMap((one) => crossingsOf(one, reached)),
    reached,
  );

/**
 * Divides the crossings of a counted operation after its result is known: crossings to record, and crossings to drop. Limits that block count
 * the operation before it runs, so that a failed operation can cross them (ALR-11).
 */
export const settledCrossings = (
  crossings: readonly Crossing[],
  isAccepted: boolean,
): readonly [kept: readonly Crossing[], dropped: readonly Crossing[]] => {
  const isKept = ({ tried }: Crossing): boolean => isAccepted || tried.limit.action !== 'notify';
  return [crossings.filter(isKept), crossings.filter((crossing) => !isKept(crossing))];
};

/** Returns the crossing of the first limit that rejects an operation, once per window. */
export function rejectedCrossings(
  rejecting: readonly TriedOperation[],
  node: OperationNode,
  reached: ReachedWindows,
): NodeCrossings {
  const [first] = storedOf(rejecting.slice(0, 1), node);
  if (first === undefined) return { crossings: [], reached };
  return recorded(reachedCrossing(first, takenOf(first.gauge), 'rejected', reached), reached);
}
