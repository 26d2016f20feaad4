import { type ErrorCode, type ErrorFacts, errorCodes } from './error-codes.ts';

export { type ErrorCode, type ErrorFacts, type ErrorType, errorCodes } from './error-codes.ts';

/** One unacceptable input: the caller's dotted path and a sentence about it. */
export type FieldProblem = { readonly field: string; readonly message: string };

/** A refusal as data: what `decide` returns and what a door throws once the changes that go with it are committed (protocols A3). */
export type Refusal = {
  readonly code: ErrorCode;
  /** A full sentence for people. */
  readonly message: string;
  /** The input at fault, when there is one. */
  readonly param?: string;
  /** Facts for programs; their shape belongs to the code. */
  readonly details?: unknown;
};

/** A failure clients are told about by its code. Everything else that is thrown is hidden from them. */
export class QuittanceError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: unknown;

  /** `message` is a full sentence for people; `param` names the input at fault; `details` is any JSON the code promises. */
  constructor(code: ErrorCode, message: string, extra: { readonly param?: string | undefined; readonly details?: unknown } = {}) {
    super(message);
    this.name = 'QuittanceError';
    this.code = code;
    this.param = extra.param;
    this.details = extra.details;
  }
}

/** Family, HTTP status and meaning of a code. */
export const errorFacts = (code: ErrorCode): ErrorFacts => errorCodes[code];

/** The error for unacceptable input, all problems at once; `param` is the first of them. Throws when the list is empty. */
export function validationError(problems: readonly FieldProblem[]): QuittanceError {
  const [first] = problems;
  if (first === undefined) throw new Error('A validation error needs at least one problem.');
  return new QuittanceError('validation_error', first.message, { param: first.field, details: problems });
}
