import type { AnonymousContext, TransactionContext } from './context.ts';
import type { EventOrigin, EventSource } from './domain/events.ts';

// What events come from follows from who asks; commands and services say nothing about it.

/** Sources by hosted page. */
const pageSources: Readonly<Record<string, EventSource>> = {
  checkout: 'checkout',
  method: 'payment_method_page',
  pay: 'payment_page',
  portal: 'portal',
  pricing: 'pricing_page',
  recover: 'recovery_page',
};

/** What the events of a caller come from. Throws for a caller without an environment, who changes nothing in one. */
export function originOf({ caller, requestId }: Pick<AnonymousContext, 'caller' | 'requestId'>): EventOrigin {
  if (caller.kind === 'key') return { source: 'api', actorId: caller.apiKeyId, requestId };
  if (caller.kind === 'member') return { source: 'dashboard', actorId: caller.memberId, requestId };
  if (caller.kind === 'system') return { source: caller.source, actorId: caller.actorId, requestId: null };
  const source = caller.kind === 'page' ? pageSources[caller.page] : undefined;
  if (source === undefined) throw new Error(`Events come from no ${caller.kind} caller.`);
  return { source, actorId: null, requestId };
}

/** The same transaction, whose events come from the worker: what was due is executed on the way to what a caller asks for. */
export const asWorker = (tx: TransactionContext): TransactionContext => ({
  ...tx,
  caller: { kind: 'system', source: 'worker', actorId: null },
});
