// Errors that SQL statements raise if data has changed since it was read. Their SQLSTATE class is QT.

/** SQLSTATE and message of each error. */
const raised = {
  /** Raised if the version of a row has changed. */
  staleSnapshot: ['QT001', 'A row has changed since it was read.'],
  /** Raised if the time of the test clock has changed. */
  clockMoved: ['QT002', 'The test clock has moved since it was read.'],
  /** Raised if a shared sum has no room for an addition. */
  limitMoved: ['QT003', 'A shared sum has no room for the addition.'],
} as const;

type RaisedError = keyof typeof raised;

/** Returns an SQL expression that is true if the condition is met, and raises the error otherwise. */
export function orRaise(condition: string, error: RaisedError): string {
  const [code, message] = raised[error];
  // Uses `CASE`, which evaluates the function only if the condition isn't met.
  return `CASE WHEN ${condition} THEN true ELSE quittance_raise('${code}', '${message}') END`;
}

/** True if an SQL statement failed because it raised this error. */
export const isRaised = (cause: unknown, error: RaisedError): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === raised[error][0];
