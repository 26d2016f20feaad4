import { type ConnectionError, QuittanceError } from '../sdk/index.ts';

/** Exit codes of the command line. */
const exitCodes = { done: 0, rejected: 1, usage: 2, network: 3 } as const;

/** Invalid arguments. The process ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Result that ends the process with exit code 1, such as a failed check. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
}

/** Prints a result: as one line of JSON, or as text for people. */
export type Print = (value: unknown, text?: string) => void;

/** Returns the function that prints results. Without a text, people get indented JSON. */
export const printer =
  (isJson: boolean): Print =>
  (value, text) => {
    const shown = isJson ? JSON.stringify(value) : (text ?? JSON.stringify(value, null, 2));
    process.stdout.write(`${shown}\n`);
  };

const pluralRules = new Intl.PluralRules('en');

/** Text with a number: `one` for 1, otherwise `other`. The number replaces `#`. */
export type Counted = { readonly one: string; readonly other: string };

/** Returns the form of a text that fits a number. */
export function counted(count: number, texts: Counted): string {
  const form = pluralRules.select(count) === 'one' ? texts.one : texts.other;
  return form.replaceAll('#', String(count));
}

/** Returns true if the service didn't respond. */
export const isConnectionError = (error: unknown): error is ConnectionError =>
  error instanceof Error && ['ConnectionError', 'TimeoutError'].includes(error.name);

/** Describes an error for JSON output. */
function errorBody(error: unknown): object {
  if (error instanceof QuittanceError) {
    const { type, code, message, status, param, details, requestId } = error;
    return { type, code, message, status, param, details, requestId };
  }
  return {
    type: isConnectionError(error) ? 'network_error' : error instanceof UsageError ? 'usage_error' : 'error',
    message: error instanceof Error ? error.message : String(error),
  };
}

const errorText = (error: unknown): string => {
  if (!(error instanceof QuittanceError)) return error instanceof Error ? error.message : String(error);
  const { code, message, requestId } = error;
  return `${message} (${code}${requestId === null ? '' : `, request ${requestId}`})`;
};

/** Prints an error to the error output, and returns the exit code. */
export function fail(error: unknown, isJson: boolean): number {
  process.stderr.write(`${isJson ? JSON.stringify({ error: errorBody(error) }) : errorText(error)}\n`);
  if (error instanceof UsageError) return exitCodes.usage;
  return isConnectionError(error) ? exitCodes.network : exitCodes.rejected;
}
