import { QuittanceError, specificError } from '../domain/errors/errors.ts';
import { isOfOutage, isTemporary } from '../platform/db/temporary.ts';
import { isLockTimeout } from '../platform/db/unique.ts';
import { type FoundKey, isKeyHeld } from '../platform/idempotency.ts';
import type { Context } from '../request/context.ts';
import type { Answer } from './answer.ts';
import type { KeyUse } from './key.ts';

/** Returns the error for a key whose first request is still running. */
export const inProgress = (): QuittanceError => new QuittanceError('idempotency_in_progress');

const unavailable = (isOutcomeKnown: boolean): QuittanceError =>
  specificError('idempotency_unavailable', isOutcomeKnown ? 'nothing_executed' : 'outcome_unknown');

/** Returns the response stored under an existing key. Throws `idempotency_in_progress` and `idempotency_key_mismatch`. */
export function answerFound(found: FoundKey): Answer {
  if (found.state === 'answered') return found.answer;
  // Callers that can resume the work handle the state `left` earlier. All other callers get the same error as for a running request.
  if (found.state === 'running' || found.state === 'left') throw inProgress();
  throw specificError('idempotency_key_mismatch', 'other_request');
}

/** Thrown to roll back the transaction of a check. */
class Checked extends Error {
  readonly isHeld: boolean;

  constructor(isHeld: boolean) {
    super('The key is checked.');
    this.isHeld = isHeld;
  }
}

/** True if another request with the same key is running. False if the key's storage is locked or unavailable. */
function isRunning({ app: { database }, wall }: Context, { scope, key }: KeyUse): Promise<boolean> {
  const check = () =>
    database.transaction(async ({ query }): Promise<boolean> => {
      throw new Checked(await isKeyHeld(query, scope, key, wall.now()));
    });
  const checked = 'environmentId' in scope ? database.share.run(scope.environmentId, check) : check();
  return checked.catch((error: unknown) => error instanceof Checked && error.isHeld);
}

/** Returns the error to send to the client: `idempotency_in_progress`, `idempotency_unavailable`, or the operation's own error. */
export async function explained(
  ctx: Context,
  use: KeyUse,
  error: unknown,
  hasBegun: boolean,
): Promise<unknown> {
  if (error instanceof QuittanceError) return error;
  if (hasBegun) return isTemporary(error) ? unavailable(false) : error;
  if (isLockTimeout(error) && (await isRunning(ctx, use))) return inProgress();
  if (!isOfOutage(error)) ctx.log.warn({ err: error }, 'The store of idempotency keys cannot be used.');
  return unavailable(true);
}
