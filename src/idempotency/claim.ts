import type { TransactionContext } from '../context.ts';
import { claimKey, noteProgress, type Progress } from '../platform/idempotency.ts';
import type { Answer } from './answer.ts';
import { answerFound } from './errors.ts';
import type { KeyUse } from './key.ts';

/** The stored answer; or what an earlier execution left under way; neither where the operation is to be executed. */
type Claimed = { readonly answer: Answer } | { readonly left: Progress | null };

/** Claims the key in the open transaction of `context`. */
export async function claim({ app, transaction, wall }: TransactionContext, use: KeyUse): Promise<Claimed> {
  const request = { ...use, now: wall.now(), lockTimeoutMs: app.config.idempotencyLockTimeoutMs };
  const found = await claimKey(transaction.query, use.scope, request, app.secrets);
  if (found.state === 'claimed') return { left: null };
  if (found.state !== 'left') return { answer: answerFound(found) };
  // It is running again; requests that come meanwhile wait.
  await noteProgress(transaction.query, use.scope, use.key, found.left, wall.now());
  return { left: found.left };
}
