import type { Context } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import { isTemporary } from '../graphql/errors.ts';
import { isLockTimeout } from '../platform/db/unique.ts';
import { type FoundKey, isStorageFree } from '../platform/idempotency.ts';
import type { Answer } from './answer.ts';
import type { KeyUse } from './key.ts';

/** The first request with the key has no answer yet. */
export const inProgress = (): QuittanceError =>
  new QuittanceError(
    'idempotency_in_progress',
    'The first request with this idempotency key is still running; try again in a moment.',
  );

const unavailable = (isOutcomeKnown: boolean): QuittanceError =>
  new QuittanceError(
    'idempotency_unavailable',
    isOutcomeKnown
      ? 'The store of idempotency keys cannot be used at the moment; nothing was executed. Retry with the same key.'
      : 'The connection to the store of idempotency keys was lost at the end; the outcome is unknown. Retry with the same key.',
  );

/** The stored answer of a key that is not free. Throws `idempotency_in_progress` and `idempotency_key_mismatch`. */
export function answerFound(found: FoundKey): Answer {
  if (found.state === 'answered') return found.answer;
  // Only the strategies that leave something under way go on with it.
  if (found.state === 'running' || found.state === 'left') throw inProgress();
  throw new QuittanceError(
    'idempotency_key_mismatch',
    'This idempotency key was used with another method, path or body.',
  );
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
