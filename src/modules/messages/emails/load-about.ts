import { type Page, pageOfAll } from '../../../graphql/reading/connections.ts';
import { decodeCursor, encodeCursor, newestFirst } from '../../../graphql/reading/cursors.ts';
import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import { type PageArguments, pageRequest } from '../../../graphql/reading/pages.ts';
import type { Place } from '../../../platform/db/row-lists.ts';
import type { Context } from '../../../request/context.ts';
import { type EmailAbout, type EmailRow, readEmailsAbout } from './store.ts';

/** Subject of the emails to load: a subscription or an invoice, with its customer. */
type Topic = { readonly id: string; readonly customerId: string };

/**
 * Compares an email with a position in a list that is sorted from newest to oldest. Negative if the email
 * precedes the position, and 0 if the email is at the position.
 */
function compare({ createdAt, seq }: EmailRow, [time, place]: Place): number {
  const [at, than] = [createdAt.getTime(), time instanceof Date ? time.getTime() : 0];
  if (at !== than) return than - at;
  return seq === place ? 0 : seq > BigInt(String(place)) ? -1 : 1;
}

/**
 * Lists the emails about a subscription or an invoice, newest first. Lookups are batched. Reads all emails about an
 * object, because each object has few.
 */
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
