import type { ExecutionResult } from 'graphql';
import type { RequestContext } from '../context.ts';
import { limits } from './limits.ts';

/** The header with which a client asks what its operations cost: `x-quittance-cost: 1`. */
export const costHeader = 'x-quittance-cost';

/** The result of an operation, with what it cost in `extensions.cost` where the client asked for that. */
export function withCost(result: ExecutionResult, requested: number, ctx: RequestContext): ExecutionResult {
  if (!ctx.showsCost) return result;
  const { limit = 0, remaining = 0, resetSeconds = 0 } = ctx.allowance ?? {};
  const cost = { requested, limit: limits.cost, window: { limit, remaining, resetSeconds } };
  return { ...result, extensions: { ...result.extensions, cost } };
}
