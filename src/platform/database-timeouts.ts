/**
 * Timeouts of database connections, in milliseconds. If a process stalls inside a transaction, `idleTransactionMs` releases its locks before
 * statements that wait for them reach `statementMs`.
 */
export type DatabaseTimeouts = {
  /** Maximum duration of an SQL statement, enforced by the server. A transaction can have a higher limit. */
  readonly statementMs: number;
  /** Maximum idle time inside a transaction. The server then closes the connection, which releases its locks. */
  readonly idleTransactionMs: number;
  /**
   * Maximum time without a response to an SQL statement. The connection is then closed, because the server is
   * unreachable.
   */
  readonly silenceMs: number;
};

export const defaultTimeouts: DatabaseTimeouts = {
  statementMs: 30_000,
  idleTransactionMs: 15_000,
  silenceMs: 35_000,
};

/** Returns the server settings of each connection, by name. */
export const sessionSettings = ({
  statementMs,
  idleTransactionMs,
  silenceMs,
}: DatabaseTimeouts): Readonly<Record<string, string>> => ({
  timezone: 'UTC',
  // Statements are short, so JIT compilation would take longer than their execution.
  jit: 'off',
  statement_timeout: String(statementMs),
  idle_in_transaction_session_timeout: String(idleTransactionMs),
  // Applies transaction settings on all nodes of a distributed database. Ignored by other servers.
  'citus.propagate_set_commands': 'local',
  // Detects a client that no longer reads responses, which the other timeouts don't cover.
  tcp_user_timeout: String(silenceMs),
});

/** Returns the settings in the form of the startup parameter `options`. */
export const sessionOptions = (timeouts: DatabaseTimeouts): string =>
  Object.entries(sessionSettings(timeouts))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
