import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { defaultPageSize, type Page, type PageArguments, pageWith } from '../../graphql/pages.ts';
import { type EventFilter, type EventRow, readEventsBefore } from '../../outbox/read.ts';

/** The opaque place of an event in its list. */
const encodeCursor = ({ position }: EventRow): string =>
  Buffer.from(`event.${position}`).toString('base64url');

/** Reads a cursor. Throws `validation_error` on `after` for anything this list did not hand out. */
function decodeCursor(cursor: string): bigint {
  const text = /^[A-Za-z0-9_-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  const position = /^event\.(\d{1,18})$/.exec(text)?.[1];
  if (position === undefined)
    throw validationError([{ field: 'after', message: 'is not a cursor of this list' }]);
  return BigInt(position);
}

/** A page of the matching events, the latest first. One statement; events have a position instead of a creation time and seq. */
export async function listEvents(
  ctx: Context,
  filter: EventFilter,
  args: PageArguments,
): Promise<Page<EventRow>> {
  const size = args.first ?? defaultPageSize;
  const before = args.after ? decodeCursor(args.after) : null;
  const rows = await readEventsBefore(ctx.sql, filter, before, size + 1);
  return pageWith(rows, size, encodeCursor);
}
