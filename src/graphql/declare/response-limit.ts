import type { ExecutionResult, GraphQLError } from 'graphql';
import { specificError } from '../../domain/errors/errors.ts';
import { type App, type Context, RequestContext } from '../../request/context.ts';
import { inLaterTurn } from '../../request/turn.ts';

// Response size limit, checked before the response is serialized.

/** Maximum JSON size of a UTF-16 code unit in bytes, as in `\u0000`. */
const mostBytesPerUnit = 6;

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/**
 * Returns the JSON size of a value in bytes, or a lower bound if `isExact` is false. Stops when the size exceeds
 * `most`. Measures all parts in one loop, because a page of results has hundreds of fields.
 */
function sizeOf(value: unknown, most: number, isExact: boolean): number {
  const parts: unknown[] = [value];
  let size = 0;
  while (parts.length > 0 && size <= most) {
    const part = parts.pop();
    if (typeof part === 'string') size += isExact ? bytesOf(part) : part.length + 2;
    else if (typeof part !== 'object' || part === null) size += 1;
    else if (Array.isArray(part)) {
      size += 2;
      for (const item of part) parts.push(item);
    } else {
      size += 2;
      for (const name in part) {
        const member = (part as Record<string, unknown>)[name];
        if (member === undefined) continue;
        size += name.length + 4;
        parts.push(member);
      }
    }
  }
  return size;
}

/**
 * Returns a lower bound for a value's JSON size in bytes, or `Infinity` if the size exceeds `most`. Strings are measured exactly only if
 * the value could exceed the limit.
 */
export function jsonBytes(value: unknown, most: number): number {
  const units = sizeOf(value, most, false);
  if (units > most) return Number.POSITIVE_INFINITY;
  if (units * mostBytesPerUnit <= most) return units;
  const bytes = sizeOf(value, most, true);
  return bytes > most ? Number.POSITIVE_INFINITY : bytes;
}

/** Minimum size in bytes of responses that are serialized in a separate turn of the event loop. */
const largeBytes = 262_144;

/**
 * Throws `response_too_large` if the JSON of a value exceeds `RESPONSE_LIMIT_BYTES` (PLT-66). Otherwise returns the approximate size in
 * bytes.
 */
function demandSize({ config }: Pick<App, 'config'>, value: unknown, before = 0): number {
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
    // The cast is safe because every error is converted for the client later.
    return { errors: [error as GraphQLError] };
  }
}

/**
 * Checks the size of a value before it is serialized. A large value counts toward the environment's limit and waits for its turn, which limits the
 * rate of large responses per environment (PLT-67). Throws `response_too_large`.
 */
export function admitResponse(ctx: Context, value: unknown): void | Promise<void> {
  const bytes = demandSize(ctx.app, value);
  if (bytes < largeBytes) return;
  const isOutside = ctx instanceof RequestContext && !ctx.isAuthenticated;
  if (!isOutside) ctx.app.database.share.charge(ctx.environment.id, bytes);
  return inLaterTurn(ctx.app, isOutside ? '' : ctx.environment.id);
}
