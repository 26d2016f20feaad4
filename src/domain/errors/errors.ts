import { type ErrorCode, type ErrorDetails, errorCodes } from './error-codes.ts';
import { errorMessages } from './error-messages.ts';

export { type ErrorCode, type ErrorDetails, errorCodes } from './error-codes.ts';

/**
 * Problem with the API input. `field` is the dotted path of the invalid field, or empty if the problem
 * concerns the whole input. The message is a full sentence or a phrase that follows the path ("must be
 * …", without a period).
 */
export type FieldProblem = { readonly field: string; readonly message: string };

/**
 * Rejection of a command, represented as a value instead of an exception. `decide` returns the rejection, and the
 * operation throws it after committing the changes.
 */
export type Rejection = {
  readonly code: ErrorCode;
  /** Error message: a full sentence that can be displayed. */
  readonly message: string;
  /** Name of the invalid input field, if any. */
  readonly param?: string;
  /** Machine-readable data for API clients. Its format depends on the code. */
  readonly details?: unknown;
  /** Time in seconds after which a retry can succeed. At least 1. Absent if the time isn't known. */
  readonly retryAfter?: number;
};

/** Invalid input field, data in the format that the error code specifies, and the time in seconds after which a retry can succeed. */
export type ErrorExtra = {
  readonly param?: string | undefined;
  readonly details?: unknown;
  readonly retryAfter?: number | undefined;
};

/** Returns a rejection with the default message of a code. */
export const defaultRejection = <C extends ErrorCode, E extends Pick<Rejection, 'param' | 'details'>>(
  code: C,
  extra?: E,
) =>
  ({ code, message: errorCodes[code].message, ...extra }) as {
    readonly code: C;
    readonly message: string;
  } & E;

type SpecificCode = keyof typeof errorMessages;

type ReasonOf<C extends SpecificCode> = keyof (typeof errorMessages)[C] & string;

/** Names of the placeholders in a message. */
type NamesIn<Message> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type ExtraOf<Message> = [NamesIn<Message>] extends [never]
  ? [extra?: ErrorExtra]
  : [extra: ErrorExtra & { readonly values: Readonly<Record<NamesIn<Message>, string | number | bigint>> }];

/**
 * Returns a rejection with the message for a code and reason, with the values inserted into the placeholders.
 */
export function specificRejection<C extends SpecificCode, R extends ReasonOf<C>>(
  code: C,
  reason: R,
  ...[extra = {}]: ExtraOf<(typeof errorMessages)[C][R]>
): Rejection & { readonly code: C } {
  const {
    param,
    details,
    retryAfter,
    values = {},
  }: ErrorExtra & { values?: Record<string, string | number | bigint> } = extra;
  const template: string = (errorMessages[code] as Readonly<Record<R, string>>)[reason];
  return {
    code,
    message: template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/** Error that API clients receive with its code. All other errors are reported as internal errors. */
export class QuittanceError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: unknown;
  readonly retryAfter: number | undefined;

  /** Creates an error from a code and its default message, or from the code, message, and details of a rejection. */
  constructor(code: ErrorCode, extra?: ErrorExtra);
  constructor(rejection: Pick<Rejection, 'code' | 'message'> & ErrorExtra);
  constructor(
    first: ErrorCode | (Pick<Rejection, 'code' | 'message'> & ErrorExtra),
    second: ErrorExtra = {},
  ) {
    const { code, message, param, details, retryAfter } =
      typeof first === 'string' ? { code: first, message: errorCodes[first].message, ...second } : first;
    super(message);
    this.name = 'QuittanceError';
    this.code = code;
    this.param = param;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/**
 * Returns an error with the message for a code and reason, with the values inserted into the placeholders.
 */
export const specificError = <C extends SpecificCode, R extends ReasonOf<C>>(
  code: C,
  reason: R,
  ...extra: ExtraOf<(typeof errorMessages)[C][R]>
): QuittanceError => new QuittanceError(specificRejection(code, reason, ...extra));

export const errorDetails = (code: ErrorCode): ErrorDetails => errorCodes[code];

/**
 * Returns a `validation_error` that lists all problems. `param` is the field of the first problem, and absent
 * if the problem concerns the whole input (''). Throws if the list is empty.
 */
export function validationRejection(problems: readonly FieldProblem[]): Rejection {
  const [first] = problems;
  if (first === undefined) throw new Error('A validation error needs at least one problem.');
  const { field } = first;
  const sentence = /[.?!]$/.test(first.message) ? first.message : `${first.message}.`;
  const isNamed = field !== '' && sentence !== first.message;
  return {
    code: 'validation_error',
    message: isNamed ? `${field}: ${sentence}` : sentence,
    ...(field === '' ? {} : { param: field }),
    details: problems,
  };
}

export const validationError = (problems: readonly FieldProblem[]): QuittanceError =>
  new QuittanceError(validationRejection(problems));
