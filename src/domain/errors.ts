import { type ErrorCode, type ErrorDetails, errorCodes } from './error-codes.ts';
import { errorMessages } from './error-messages.ts';

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

type SpecificCode = keyof typeof errorMessages;

type ReasonOf<C extends SpecificCode> = keyof (typeof errorMessages)[C] & string;

/** The names in braces of a message. */
type NamesIn<Message> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type ExtraOf<Message> = [NamesIn<Message>] extends [never]
  ? [extra?: ErrorExtra]
  : [extra: ErrorExtra & { readonly values: Readonly<Record<NamesIn<Message>, string | number | bigint>> }];

/** A rejection with the message that `error-messages.ts` has for one reason of the code, its values filled in. */
export function specificRejection<C extends SpecificCode, R extends ReasonOf<C>>(
  code: C,
  reason: R,
  ...[extra = {}]: ExtraOf<(typeof errorMessages)[C][R]>
): Rejection & { readonly code: C } {
  const {
    param,
    details,
    values = {},
  }: ErrorExtra & { values?: Record<string, string | number | bigint> } = extra;
  const template: string = (errorMessages[code] as Readonly<Record<R, string>>)[reason];
  return {
    code,
    message: template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
  };
}

/** A failure clients are told about by its code. Everything else that is thrown is hidden from them. */
export class QuittanceError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: unknown;

  /**
   * Says the default message of the code, or that of a rejection.
   */
  constructor(code: ErrorCode, extra?: ErrorExtra);
  constructor(rejection: Pick<Rejection, 'code' | 'message'> & ErrorExtra);
  constructor(
    first: ErrorCode | (Pick<Rejection, 'code' | 'message'> & ErrorExtra),
    second: ErrorExtra = {},
  ) {
    const { code, message, param, details } =
      typeof first === 'string' ? { code: first, message: errorCodes[first].message, ...second } : first;
    super(message);
    this.name = 'QuittanceError';
    this.code = code;
    this.param = param;
    this.details = details;
  }
}

/** The error with the message that `error-messages.ts` has for one reason of the code, its values filled in. */
export const specificError = <C extends SpecificCode, R extends ReasonOf<C>>(
  code: C,
  reason: R,
  ...extra: ExtraOf<(typeof errorMessages)[C][R]>
): QuittanceError => new QuittanceError(specificRejection(code, reason, ...extra));

/** Family, HTTP status and meaning of a code. */
export const errorDetails = (code: ErrorCode): ErrorDetails => errorCodes[code];

/**
 * The rejection of unacceptable input, all problems at once; `param` is the first field, and absent where the problem is the whole input ('').
 * Throws when the list is empty.
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

/** The error for unacceptable input, as `validationRejection` says it. */
export const validationError = (problems: readonly FieldProblem[]): QuittanceError =>
  new QuittanceError(validationRejection(problems));
