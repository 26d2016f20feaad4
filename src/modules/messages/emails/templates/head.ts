import { emailLanguage } from '../../../../domain/messages/emails.ts';
import { nameInEmail } from '../../../../domain/messages/mail-permission.ts';
import type { EmailHead } from './content.ts';
import type { Sender } from './layout.ts';

type Addressee = { readonly fullName: string; readonly metadata: unknown; readonly country: string | null };

/** Returns the recipient and the sender of an email to a customer. The sender is the organization. Links are removed from names. */
export const headOf = (
  organization: Sender,
  customer: Addressee,
  { to, livemode }: Pick<EmailHead, 'to' | 'livemode'>,
): EmailHead => ({
  to,
  customerName: nameInEmail(customer.fullName),
  sender: {
    ...organization,
    language: emailLanguage(customer, organization.language),
    name: senderName(organization),
  },
  livemode,
});

/** Organization name for use in emails. "Quittance" if nothing remains after links are removed. */
export const senderName = ({ name }: Pick<Sender, 'name'>): string => nameInEmail(name) || 'Quittance';
