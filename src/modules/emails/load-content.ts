import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import type { MailMessage } from '../../platform/mail.ts';
import { readOrganization } from '../organizations/store.ts';
import { type CustomerEmail, type EmailRow, isToCustomer } from './store.ts';
import { type Draft, draftEmails } from './worker/content.ts';

/**
 * What an email to a customer says, written as it would be now; its link to the portal leads nowhere. Null where it would not be sent any more.
 * Batched.
 */
export async function loadContent(
  ctx: Context,
  row: EmailRow,
): Promise<Pick<MailMessage, 'html' | 'text'> | null> {
  if (!isToCustomer(row)) return null;
  const load = ctx.once(
    'emails:content',
    () =>
      new DataLoader<CustomerEmail, Draft, string>(
        async (rows) => draftEmails(ctx, await readOrganization(ctx), rows, { isShown: true }),
        { cacheKeyFn: ({ id }) => id },
      ),
  );
  const draft = await load.load(row);
  return 'canceled' in draft ? null : draft.notification;
}
