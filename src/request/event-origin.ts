import type { EventOrigin, EventSource } from '../domain/events/events.ts';
import type { AnonymousContext, TransactionContext } from './context.ts';

// Origin of events, always derived from the caller. Commands and services can't set it.

/** Event source of each hosted page. */
const pageSources: Readonly<Record<string, EventSource>> = {
  checkout: 'checkout',
  method: 'payment_method_page',
  pay: 'payment_page',
  portal: 'portal',
  pricing: 'pricing_page',
  recover: 'recovery_page',
};

/** Returns the origin of events caused by a caller. Throws for a caller without an environment. */
export function originOf({ caller, requestId }: Pick<AnonymousContext, 'caller' | 'requestId'>): EventOrigin {
  if (caller.kind === 'key') return { source: 'api', actorId: caller.apiKeyId, requestId };
  if (caller.kind === 'member') return { source: 'dashboard', actorId: caller.memberId, requestId };
  if (caller.kind === 'system') return { source: caller.source, actorId: caller.actorId, requestId: null };
  const source = caller.kind === 'page' ? pageSources[caller.page] : undefined;
  if (source === undefined) throw new Error(`Events come from no ${caller.kind} caller.`);
  return { source, actorId: null, requestId };
}

/** Returns the same transaction with the worker as the origin of events. Used for due work that runs before the caller's own operation. */
export const asWorker = (tx: TransactionContext): TransactionContext => ({
  ...tx,
  caller: { kind: 'system', source: 'worker', actorId: null },
});
