import type { Context } from '../context.ts';
import { inProgress } from './errors.ts';
import type { KeyUse } from './key.ts';

/** Requests of this process by scope and key: a rival waits here instead of holding a database connection. */
const running = new Map<string, Promise<void>>();

/** Waits until no request of this process uses the key, up to `timeoutMs` in all. Throws `idempotency_in_progress`. */
async function waitForRival(id: string, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  try {
    for (let rival = running.get(id); rival !== undefined; rival = running.get(id)) {
      if ((await Promise.race([rival, timeout])) === 'late') throw inProgress();
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Answers a request once no other one of this process uses its key. Throws `idempotency_in_progress` when one does for longer than
 * `IDEMPOTENCY_LOCK_TIMEOUT_MS`.
 */
export async function afterRivals<T>(
  { app }: Context,
  { scope, key }: KeyUse,
  answer: () => Promise<T>,
): Promise<T> {
  const id = `${'operation' in scope ? scope.operation : scope.environmentId} ${key}`;
  if (running.has(id)) await waitForRival(id, app.config.idempotencyLockTimeoutMs);
  const answered = answer();
  const finished = answered.then(
    () => undefined,
    () => undefined,
  );
  running.set(id, finished);
  try {
    return await answered;
  } finally {
    if (running.get(id) === finished) running.delete(id);
  }
}
