import { RequestContext } from '../context.ts';
import type { Budget } from './limits.ts';

/** What HTTP and sockets pass with each request of GraphQL. */
export type Handed = {
  requestContext: RequestContext;
  remoteAddress: string;
  /** What the operations of the request may ask for together. */
  budget: Budget;
  /** Whether the request has several operations. */
  isBatch?: boolean;
};

/** The request's context among the values of the server. Throws when it was not passed. */
export function contextOf(value: unknown): RequestContext {
  const ctx =
    value instanceof RequestContext ? value : (value as Partial<Handed> | undefined)?.requestContext;
  if (ctx instanceof RequestContext) return ctx;
  throw new Error('An operation runs without the context of a request.');
}

/** The budget among the values of the server. Throws when it was not passed. */
export function budgetOf(value: unknown): Budget {
  const { budget } = value as Partial<Handed>;
  if (budget === undefined) throw new Error('An operation runs without a budget.');
  return budget;
}
