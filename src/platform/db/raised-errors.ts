// Errors our own statements raise where what they were decided on has changed. Their SQLSTATEs form the class QT.

/** The SQLSTATE and the message of each error. */
const raised = {
  /** A row has another version than the one that was decided on. */
  staleSnapshot: ['QT001', 'A row has changed since it was read.'],
  /** The test clock stands elsewhere. */
  clockMoved: ['QT002', 'The test clock has moved since it was read.'],
} as const;

type RaisedError = keyof typeof raised;

/** An expression that is true where the condition holds, and otherwise raises the error, which fails the statement. */
export function orRaise(condition: string, error: RaisedError): string {
  const [code, message] = raised[error];
  // The function is called on failure only: a condition that holds costs what it does alone.
  return `CASE WHEN ${condition} THEN true ELSE quittance_raise('${code}', '${message}') END`;
}

/** Whether a statement failed with this error of ours. */
export const isRaised = (cause: unknown, error: RaisedError): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === raised[error][0];
