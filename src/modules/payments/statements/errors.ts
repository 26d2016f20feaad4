/** Reason for which no entry of a file can be read. */
export type StatementProblem =
  | 'statement_malformed'
  | 'statement_doctype'
  | 'statement_format'
  | 'statement_entries'
  | 'statement_columns';

/** Thrown if a file can't be read. Nothing of the file is recorded. */
export class StatementError extends Error {
  readonly reason: StatementProblem;

  constructor(reason: StatementProblem) {
    super(reason);
    this.reason = reason;
  }
}
