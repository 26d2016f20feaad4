import type { Context } from '../../context.ts';
import { type Page, pageOfAll } from '../../graphql/connections.ts';
import { decodeCursor, encodeCursor, newestFirst } from '../../graphql/cursors.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import { type PageArguments, pageRequest } from '../../graphql/pages.ts';
import type { Place } from '../../platform/db/row-lists.ts';
import { type EmailAbout, type EmailRow, readEmailsAbout } from './store.ts';

/** What emails are about: a subscription or an invoice, and its customer. */
type Topic = { readonly id: string; readonly customerId: string };

/** Below 0 where a row comes before a place of the list, the newest first; 0 where it is at it. */
function compare({ createdAt, seq }: EmailRow, [time, place]: Place): number {
  const [at, than] = [createdAt.getTime(), time instanceof Date ? time.getTime() : 0];
  if (at !== than) return than - at;
  return seq === place ? 0 : seq > BigInt(String(place)) ? -1 : 1;
}

/** A page of the emails about events of a subscription or an invoice, newest first. Batched; they are few per topic. */
export async function loadEmailsAbout(
  ctx: Context,
  about: EmailAbout,
  { id, customerId }: Topic,
  args: PageArguments,
): Promise<Page<EmailRow>> {
  const request = pageRequest(args, (cursor, argument) =>
    decodeCursor('EmailNotification', newestFirst, cursor, argument),
  );
  const load = ctx.once(`emails:${about}`, () =>
    batchedByColumns<EmailRow[]>(async (keys) => {
      const topics = keys.map((key) => key.split(' '));
      const ids = topics.map(([topic = '']) => topic);
      const customerIds = topics.map(([, customer = '']) => customer);
      const rows = await readEmailsAbout(ctx.sql, about, ids, customerIds);
      const emails = Map.groupBy(rows, ({ parentId }) => parentId);
      return (key) => emails.get(key.split(' ')[0] ?? '') ?? [];
    }),
  );
  return pageOfAll(await load(`${id} ${customerId}`, 'all'), request, {
    cursorOf: (row) => encodeCursor(newestFirst, row),
    compare,
  });
}
