import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { exportStreamOperation } from '../../../domain/requests/counted.ts';
import { cutMark, mask } from '../../../domain/requests/mask-text.ts';
import { describeDocument } from '../../../graphql/execute/describe.ts';
import type { Context } from '../../../request/context.ts';
import { RequestContext } from '../../../request/context.ts';
import { sendInner } from '../../../request/send-inner.ts';
import { loadBodies, requireRequest } from './store.ts';

/** Value that replaces a masked value of a request body. */
type Replacement = { readonly pointer: string; readonly value: string };

export type Replayed = {
  readonly requestId: string;
  readonly status: number;
  readonly isDryRun: boolean;
  readonly body: unknown;
};

type Values = Record<string, unknown>;

/** Names in a JSON pointer. */
const namesIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Sets the value at a JSON pointer. Throws `validation_error` if the value doesn't exist in the body. */
function setAt(body: unknown, { pointer, value }: Replacement, index: number): void {
  const names = namesIn(pointer);
  const last = names.pop();
  let parent = body;
  for (const name of names)
    parent = typeof parent === 'object' && parent !== null ? (parent as Values)[name] : undefined;
  if (last === undefined || typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last))
    throw validationError([
      {
        field: `values.${index}.pointer`,
        message: 'must be the JSON pointer of a value in the request body',
      },
    ]);
  (parent as Values)[last] = value;
}

/** Returns the JSON pointers of masked values. */
function maskedPointers(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return value.includes(mask) ? [pointer] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    maskedPointers(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

/** Parses the stored body of a request. Throws `validation_error` if the body wasn't stored completely. */
function bodyOf(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text.endsWith(cutMark) ? '' : text);
  } catch {
    throw validationError([{ field: 'id', message: "is a request whose body isn't stored completely" }]);
  }
}

const documentsIn = (body: unknown): string[] =>
  [body].flat().map((each) => String((each as { query?: unknown } | null)?.query ?? ''));

/**
 * Sends a recorded request again with the permissions of the caller and a new idempotency key. A request that writes runs as a dry run unless
 * `dryRun` is `false`. In the live environment, only requests that read can be repeated.
 */
export async function replayRequest(
  ctx: Context,
  id: string,
  { values, dryRun }: { readonly values: readonly Replacement[]; readonly dryRun: boolean | null },
): Promise<Replayed> {
  const record = await requireRequest(ctx, id);
  const bodies = await loadBodies(ctx, record);
  if (bodies === null)
    throw validationError([{ field: 'id', message: 'must be the ID of a single request' }]);
  if (record.operation === exportStreamOperation)
    throw validationError([{ field: 'id', message: "is an export stream, which can't be repeated" }]);
  const body = bodyOf(bodies.request);
  const isGraphql = record.route === '/graphql';
  const isRead = isGraphql
    ? record.operation !== '' && documentsIn(body).every((text) => describeDocument(text).isRead)
    : record.method === 'GET';
  if (ctx.livemode && !isRead) throw specificError('sandbox_only', 'replay_live');
  for (const [index, value] of values.entries()) setAt(body, value, index);
  const masked = [...(bodies.address.includes(mask) ? ['the address'] : []), ...maskedPointers(body)];
  if (masked.length > 0)
    throw validationError([
      { field: 'values', message: `must contain a value for each masked value: ${masked.join(', ')}` },
    ]);
  const isDryRun = !isRead && (dryRun ?? true);
  if (isDryRun && isGraphql) throw specificError('validation_error', 'no_dry_run', { param: 'dryRun' });
  const inner = new RequestContext(ctx.app, ctx.requestId);
  inner.become(ctx.caller, ctx.environment);
  const {
    requestId,
    status,
    body: text,
  } = await sendInner(inner, {
    method: record.method,
    address: bodies.address,
    headers: {
      'service-version': record.apiVersion,
      ...(isDryRun ? { 'x-quittance-dry-run': '1' } : {}),
      ...(isRead || isDryRun ? {} : { 'idempotency-key': crypto.randomUUID() }),
    },
    body: body === null ? null : JSON.stringify(body),
    replayOf: record.id,
  });
  return { requestId, status, isDryRun, body: text === '' ? null : JSON.parse(text) };
}
