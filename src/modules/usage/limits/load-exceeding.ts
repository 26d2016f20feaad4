import type { Tried } from '../../../domain/limits/admission.ts';
import { exceeding } from '../../../domain/limits/exceeding.ts';
import { countsOperations, isShared } from '../../../domain/limits/limit.ts';
import { readLimitsOf } from '../../../engine/usage/limit-states.ts';
import { readSharedValues } from '../../../engine/usage/shared-values.ts';
import type { Context } from '../../../request/context.ts';
import { findNodes, type StoredLimit } from './store.ts';

/** Maximum number of customers or budgets whose usage is compared with a limit. */
export const mostCompared = 500;

/** Maximum number of customers or budgets that are listed. */
export const mostListed = 20;

/** Terms that determine the nodes of a limit. */
type Nodes = Pick<
  StoredLimit,
  'id' | 'customerId' | 'budgetKey' | 'each' | 'planId' | 'apiKeyId' | 'memberId' | 'filter'
>;

/** Customers and budgets whose usage exceeds a limit. */
export type Exceeding = {
  readonly compared: number;
  readonly isComplete: boolean;
  readonly exceeded: readonly Tried[];
};

/** Returns the nodes whose usage is compared with a limit of customers or budgets. */
async function nodesOf(ctx: Context, limit: Nodes): Promise<Awaited<ReturnType<typeof findNodes>>> {
  const { customerId, budgetKey, each } = limit;
  if (each !== null) return findNodes(ctx, limit, mostCompared);
  return { nodes: customerId === null ? [] : [{ customerId, budget: budgetKey }], isCut: false };
}

/** Compares a limit with the current usage of at most `mostCompared` customers or budgets. Limits on operations aren't compared. */
export async function loadExceeding(ctx: Context, limit: Nodes): Promise<Exceeding> {
  if (countsOperations(limit)) return { compared: 0, isComplete: true, exceeded: [] };
  const isOwn = (tried: Tried): boolean => tried.limit.id === limit.id;
  if (isShared(limit)) {
    const values = await ctx.once('values of shared limits', () => readSharedValues(ctx));
    return { compared: 1, isComplete: true, exceeded: exceeding(values.filter(isOwn)) };
  }
  const { nodes, isCut } = await nodesOf(ctx, limit);
  const current = nodes.length === 0 ? [] : await readLimitsOf(ctx, nodes);
  const values = current.flatMap((one, index) =>
    'code' in one ? [] : one.tried.filter((tried) => isOwn(tried) && tried.node.key === nodes[index]?.budget),
  );
  return { compared: nodes.length, isComplete: !isCut, exceeded: exceeding(values) };
}
