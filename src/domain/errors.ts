import { type ErrorCode, type ErrorDetails, errorCodes } from './error-codes.ts';

export { type ErrorCode, type ErrorDetails, type ErrorType, errorCodes } from './error-codes.ts';

/**
 * One unacceptable input: the caller's dotted path, and a sentence about it or words that follow the path
 * ("must be …", without a full stop).
 */
export type FieldProblem = { readonly field: string; readonly message: string };

/**
 * A rejection as data: `decide` returns it, and the operation throws it once its changes are committed.
 */
export type Rejection = {
  readonly code: ErrorCode;
  /** A full sentence for people. */
  readonly message: string;
  /** The input at fault, when there is one. */
  readonly param?: string;
  /** Facts for programs; their shape belongs to the code. */
  readonly details?: unknown;
};

/** What an error says besides its code: the input at fault, and any JSON the code promises. */
export type ErrorExtra = { readonly param?: string | undefined; readonly details?: unknown };

/** A rejection with the default message of its code. */
export const defaultRejection = <C extends ErrorCode, E extends Pick<Rejection, 'param' | 'details'>>(
  code: C,
  extra?: E,
) =>
  ({ code, message: errorCodes[code].message, ...extra }) as {
    readonly code: C;
    readonly message: string;
  } & E;

/** A failure clients are told about by its code. Everything else that is thrown is hidden from them. */
export class QuittanceError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: unknown;

  /**
   * Says the default message of the code, or a more specific one: a full sentence for people.
   */
  constructor(code: ErrorCode, extra?: ErrorExtra);
  constructor(code: ErrorCode, message: string, extra?: ErrorExtra);
  constructor(code: ErrorCode, first: string | ErrorExtra = {}, second: ErrorExtra = {}) {
    const extra = typeof first === 'string' ? second : first;
    super(typeof first === 'string' ? first : errorCodes[code].message);
    this.name = 'QuittanceError';
    this.code = code;
    this.param = extra.param;
    this.details = extra.details;
  }
}

/** Family, HTTP status and meaning of a code. */
export const errorDetails = (code: ErrorCode): ErrorDetails => errorCodes[code];

/**
 * The error for unacceptable input, all problems at once; `param` is the first of them. Throws when the list
 * is empty.
 */
export function validationError(problems: readonly FieldProblem[]): QuittanceError {
  const [first] = problems;
  if (first === undefined) throw new Error('A validation error needs at least one problem.');
  const message = first.message.endsWith('.') ? first.message : `${first.field}: ${first.message}.`;
  return new QuittanceError('validation_error', message, { param: first.field, details: problems });
}
