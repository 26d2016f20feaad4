import { loadRow } from '../../../../graphql/reading/loaders.ts';
import type { Context } from '../../../../request/context.ts';
import { entryUrl } from '../../../customers/portal-links/sign-link.ts';
import type { OrganizationRow } from '../../../organization/organizations/store.ts';
import type { EmailRow } from '../store.ts';
import { headOf } from '../templates/head.ts';
import { portalLinkEmail } from '../templates/portal-link.ts';
import type { Draft } from './content.ts';

/** Renders an email with a portal link. The link is created when the email is rendered, so that the link isn't stored in the database. */
export async function draftPortalLink(
  ctx: Context,
  organization: OrganizationRow,
  { customerId, recipient }: Pick<EmailRow, 'customerId' | 'recipient'>,
): Promise<Draft> {
  const customer = customerId === null ? null : await loadRow(ctx, 'Customer', customerId);
  if (customer === null || customer.email !== recipient)
    return { canceled: "The customer's email address changed before the email was sent." };
  const head = headOf(organization, customer, { to: recipient, livemode: ctx.livemode });
  return { notification: portalLinkEmail(head, await entryUrl(ctx, customer)) };
}
