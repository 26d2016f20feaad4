import type { Context } from '../request/context.ts';
import { inProgress } from './errors.ts';
import type { KeyUse } from './key.ts';

/**
 * Running requests in this process, by key scope and key. Concurrent requests with the same key wait here, without using a database
 * connection.
 */
const running = new Map<string, Promise<void>>();

/** Waits until no request in this process uses the key. Throws `idempotency_in_progress` after `timeoutMs`. */
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

/** Runs a request after earlier requests in this process with the same key. Throws `idempotency_in_progress` after `IDEMPOTENCY_LOCK_TIMEOUT_MS`. */
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
