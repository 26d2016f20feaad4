import DataLoader from 'dataloader';
import type { MailMessage } from '../../../platform/mail.ts';
import type { Context } from '../../../request/context.ts';
import { readOrganization } from '../../organization/organizations/store.ts';
import { type CustomerEmail, type EmailRow, isToCustomer } from './store.ts';
import { type Draft, draftEmails } from './worker/content.ts';

/**
 * Renders an email to a customer as it would be sent now, with a portal link that doesn't work. `null` if the email
 * would no longer be sent. Lookups are batched.
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
