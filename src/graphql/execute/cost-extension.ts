import type { ExecutionResult } from 'graphql';
import type { RequestContext } from '../../request/context.ts';
import { limits } from '../declare/limits.ts';

/** Request header that adds the operation's cost to the response: `x-quittance-cost: 1`. */
export const costHeader = 'x-quittance-cost';

/** Adds `extensions.cost` to an operation's result if the client requested it. */
export function withCost(result: ExecutionResult, requested: number, ctx: RequestContext): ExecutionResult {
  if (!ctx.showsCost) return result;
  const { limit = 0, remaining = 0, resetSeconds = 0 } = ctx.allowance ?? {};
  const cost = { requested, limit: limits.cost, window: { limit, remaining, resetSeconds } };
  return { ...result, extensions: { ...result.extensions, cost } };
}
