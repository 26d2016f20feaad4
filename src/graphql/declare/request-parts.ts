import { RequestContext } from '../../request/context.ts';
import type { Budget } from './limits.ts';

/** Header that names the approval of a call. */
export const approvalHeader = 'x-quittance-approval';

/** Header that requests a dry run. */
export const dryRunHeader = 'x-quittance-dry-run';

/** Values that the HTTP and WebSocket servers pass with each GraphQL request. */
export type Handed = {
  requestContext: RequestContext;
  remoteAddress: string;
  /** Budget shared by all operations of the request. */
  budget: Budget;
  /** True if the request contains a batch of operations. */
  isBatch?: boolean;
};

/** Returns the request context. Throws if the server context doesn't contain one. */
export function contextOf(value: unknown): RequestContext {
  const ctx =
    value instanceof RequestContext ? value : (value as Partial<Handed> | undefined)?.requestContext;
  if (ctx instanceof RequestContext) return ctx;
  throw new Error('An operation runs without the context of a request.');
}

/** Returns the request's budget. Throws if the server context doesn't contain one. */
export function budgetOf(value: unknown): Budget {
  const { budget } = value as Partial<Handed>;
  if (budget === undefined) throw new Error('An operation runs without a budget.');
  return budget;
}
