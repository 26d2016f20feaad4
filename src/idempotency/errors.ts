import type { Context } from '../context.ts';
import { QuittanceError, specificError } from '../domain/errors.ts';
import { isTemporary } from '../graphql/errors.ts';
import { isLockTimeout } from '../platform/db/unique.ts';
import { type FoundKey, isStorageFree } from '../platform/idempotency.ts';
import type { Answer } from './answer.ts';
import type { KeyUse } from './key.ts';

/** The first request with the key has no answer yet. */
export const inProgress = (): QuittanceError => specificError('idempotency_in_progress', 'retry');

const unavailable = (isOutcomeKnown: boolean): QuittanceError =>
  specificError('idempotency_unavailable', isOutcomeKnown ? 'nothing_executed' : 'outcome_unknown');

/** The stored answer of a key that is not free. Throws `idempotency_in_progress` and `idempotency_key_mismatch`. */
export function answerFound(found: FoundKey): Answer {
  if (found.state === 'answered') return found.answer;
  // Only the strategies that leave something under way go on with it.
  if (found.state === 'running' || found.state === 'left') throw inProgress();
  throw specificError('idempotency_key_mismatch', 'other_request');
}

/** What a failure around a key means to the client: rivals, storage that cannot be used, or what the operation threw. */
export async function explained(
  ctx: Context,
  { scope }: KeyUse,
  error: unknown,
  hasBegun: boolean,
): Promise<unknown> {
  const { app } = ctx;
  if (error instanceof QuittanceError) return error;
  if (hasBegun) return isTemporary(error) ? unavailable(false) : error;
  if (
    isLockTimeout(error) &&
    (await app.database.transaction(({ query }) => isStorageFree(query, scope)).catch(() => false))
  )
    return inProgress();
  ctx.log.warn({ err: error }, 'The store of idempotency keys cannot be used.');
  return unavailable(true);
}
