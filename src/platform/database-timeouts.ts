/**
 * How long a PostgreSQL server and this process wait for each other, in milliseconds. A process that stands still loses what it has locked after
 * `idleTransactionMs`, so that those who wait for the locks get them before they are given up after `statementMs`.
 */
export type DatabaseTimeouts = {
  /** How long a statement may take, unless its transaction was given longer. The server cancels it. */
  readonly statementMs: number;
  /** How long a transaction may wait for its next statement. The server ends its connection, which gives back its locks. */
  readonly idleTransactionMs: number;
  /** How long the server may keep silent about a statement. The connection is given up, as the server cannot be reached. */
  readonly silenceMs: number;
};

/** What holds unless the settings say otherwise. */
export const defaultTimeouts: DatabaseTimeouts = {
  statementMs: 30_000,
  idleTransactionMs: 15_000,
  silenceMs: 35_000,
};

/** What a connection tells the server about itself. */
export const sessionOptions = ({ statementMs, idleTransactionMs, silenceMs }: DatabaseTimeouts): string =>
  [
    'timezone=UTC',
    // Statements are short: compiling one costs more than running it.
    'jit=off',
    `statement_timeout=${statementMs}`,
    `idle_in_transaction_session_timeout=${idleTransactionMs}`,
    // In a distributed database, what is set for a transaction holds where its rows are, too; elsewhere it means nothing.
    'citus.propagate_set_commands=local',
    // For an answer that nobody takes in, which is neither a statement nor a transaction that stands still.
    `tcp_user_timeout=${silenceMs}`,
  ]
    .map((option) => `-c ${option}`)
    .join(' ');
