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

export const sessionOptions = ({ statementMs, idleTransactionMs, silenceMs }: DatabaseTimeouts): string =>
  [
    'timezone=UTC',
    // Statements are short, so JIT compilation would take longer than their execution.
    'jit=off',
    `statement_timeout=${statementMs}`,
    `idle_in_transaction_session_timeout=${idleTransactionMs}`,
    // Applies transaction settings on all nodes of a distributed database. Ignored by other servers.
    'citus.propagate_set_commands=local',
    // Detects a client that no longer reads responses, which the other timeouts don't cover.
    `tcp_user_timeout=${silenceMs}`,
  ]
    .map((option) => `-c ${option}`)
    .join(' ');
