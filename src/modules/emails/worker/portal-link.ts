import type { Context } from '../../../context.ts';
import { emailLanguage } from '../../../domain/emails.ts';
import { loadRow } from '../../../graphql/loaders.ts';
import type { OrganizationRow } from '../../organizations/store.ts';
import { entryUrl } from '../../portal/enter.ts';
import type { EmailRow } from '../store.ts';
import { portalLinkEmail } from '../templates/portal-link.ts';
import type { Draft } from './content.ts';

/** How long a link that was asked for works once it is sent. */
const linkMs = 3_600_000;

/** An email with a link to the portal as it is to be sent. The link is made now, so that no table keeps it. */
export async function draftPortalLink(
  ctx: Context,
  organization: OrganizationRow,
  { customerId, recipient }: Pick<EmailRow, 'customerId' | 'recipient'>,
): Promise<Draft> {
  const customer = customerId === null ? null : await loadRow(ctx, 'Customer', customerId);
  if (customer === null || customer.email !== recipient)
    return { canceled: 'The customer has another address by now.' };
  const language = emailLanguage(customer, organization.language);
  const head = {
    to: recipient,
    customerName: customer.fullName,
    sender: { ...organization, language },
    livemode: ctx.livemode,
  };
  return { notification: portalLinkEmail(head, await entryUrl(ctx, customer, linkMs)) };
}
