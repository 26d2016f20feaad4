import { claimKey, noteProgress, type Progress } from '../platform/idempotency.ts';
import type { TransactionContext } from '../request/context.ts';
import type { Answer } from './answer.ts';
import { answerFound } from './errors.ts';
import type { KeyUse } from './key.ts';

/** Result of claiming a key: the key's stored response, or the unfinished work of an earlier execution. `left` is `null` if the key is new. */
type Claimed = { readonly answer: Answer } | { readonly left: Progress | null };

export async function claim({ app, transaction, wall }: TransactionContext, use: KeyUse): Promise<Claimed> {
  const request = { ...use, now: wall.now(), lockTimeoutMs: app.config.idempotencyLockTimeoutMs };
  const found = await claimKey(transaction.query, use.scope, request, app.secrets);
  if (found.state === 'claimed') return { left: null };
  if (found.state !== 'left') return { answer: answerFound(found) };
  // Marks the key as running, so that concurrent requests wait.
  await noteProgress(transaction.query, use.scope, use.key, found.left, wall.now());
  return { left: found.left };
}
