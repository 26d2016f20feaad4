// How long a statement waits for locks is bounded for some of a transaction and then as it was before. What it was is kept in a setting of our
// own, so that the statements that change it need not wait for each other's answers.

/** A condition, always true, that keeps the present bound. */
export const keepLockTimeout = `set_config('quittance.lock_timeout', current_setting('lock_timeout'), true) IS NOT NULL`;

/** A condition, always true, that puts the kept bound in force again; without effect where none was kept in the transaction. */
export const restoreLockTimeout = `set_config('lock_timeout',
  coalesce(nullif(current_setting('quittance.lock_timeout', true), ''), current_setting('lock_timeout')), true) IS NOT NULL`;
