import type { ExecutionResult, GraphQLError } from 'graphql';
import { specificError } from '../../domain/errors/errors.ts';
import { type App, type Context, RequestContext } from '../../request/context.ts';
import { inLaterTurn } from '../../request/turn.ts';

// Response size limit, checked before the response is serialized.

/** Maximum JSON size of a UTF-16 code unit in bytes, as in `\u0000`. */
const mostBytesPerUnit = 6;

/** Counts the JSON size of values up to a limit. */
class ByteCounter {
  #left: number;
  readonly #lengthOf: (text: string) => number;

  constructor(most: number, lengthOf: (text: string) => number) {
    this.#left = most;
    this.#lengthOf = lengthOf;
  }

  get left(): number {
    return this.#left;
  }

  /** Subtracts the size of a value from the limit. Returns false as soon as the limit is exceeded. */
  take(value: unknown): boolean {
    if (typeof value === 'string') this.#left -= this.#lengthOf(value);
    else if (typeof value !== 'object' || value === null) this.#left -= 1;
    else if (Array.isArray(value)) {
      this.#left -= 2;
      for (const item of value) if (!this.take(item)) return false;
    } else {
      this.#left -= 2;
      for (const name in value) {
        const member = (value as Record<string, unknown>)[name];
        if (member === undefined) continue;
        this.#left -= name.length + 4;
        if (!this.take(member)) return false;
      }
    }
    return this.#left >= 0;
  }
}

const unitsOf = (text: string): number => text.length + 2;
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/**
 * Returns a lower bound for a value's JSON size in bytes, or `Infinity` if the size exceeds `most`. Strings are measured exactly only if
 * the value could exceed the limit.
 */
export function jsonBytes(value: unknown, most: number): number {
  const quick = new ByteCounter(most, unitsOf);
  if (!quick.take(value)) return Number.POSITIVE_INFINITY;
  const units = most - quick.left;
  if (units * mostBytesPerUnit <= most) return units;
  const exact = new ByteCounter(most, bytesOf);
  return exact.take(value) ? most - exact.left : Number.POSITIVE_INFINITY;
}

/** Minimum size in bytes at which a response is serialized in a separate turn of the event loop. */
const largeBytes = 262_144;

/** Throws `response_too_large` if the JSON of a value exceeds `RESPONSE_LIMIT_BYTES` (PLT-66). Returns its approximate size in bytes. */
export function demandSize({ config }: Pick<App, 'config'>, value: unknown, before = 0): number {
  const most = config.responseLimitBytes;
  const bytes = before + jsonBytes(value, most - before);
  if (bytes > most) throw specificError('response_too_large', 'limit', { values: { most } });
  return bytes;
}

/**
 * Returns the result, or an error result if the response is too large. `before` is the size of earlier operations in the same response.
 * `counted` receives the new total size.
 */
export function withinLimit(
  app: Pick<App, 'config'>,
  result: ExecutionResult,
  before = 0,
  counted: (bytes: number) => void = () => undefined,
): ExecutionResult {
  try {
    counted(
      demandSize(app, 'incremental' in result ? [result.data, result.incremental] : result.data, before),
    );
    return result;
  } catch (error) {
    // `errors` is typed as GraphQLError, but all errors are converted for the client later.
    return { errors: [error as GraphQLError] };
  }
}

/**
 * Checks the size of a value before it is serialized. A large value counts toward the environment's limit and waits for its turn, which limits the
 * rate of large responses per environment (PLT-67). Throws `response_too_large`.
 */
export async function admitResponse(ctx: Context, value: unknown): Promise<void> {
  const bytes = demandSize(ctx.app, value);
  if (bytes < largeBytes) return;
  const isOutside = ctx instanceof RequestContext && !ctx.isAuthenticated;
  if (!isOutside) ctx.app.database.share.charge(ctx.environment.id, bytes);
  await inLaterTurn(ctx.app, isOutside ? '' : ctx.environment.id);
}
