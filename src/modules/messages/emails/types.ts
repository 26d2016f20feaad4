import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import type { MailMessage } from '../../../platform/mail.ts';
import { EmailKind } from '../../organization/organizations/types/organization.ts';
import { loadContent } from './load-content.ts';
import type { Delivery } from './send-invoice.ts';
import { kindOf } from './store.ts';

export const EmailStatus = builder.enumType('EmailStatus', {
  description: 'Status of an email.',
  values: {
    pending: { description: 'The email is scheduled for its next attempt.' },
    sending: { description: 'The email is being sent to the mail server.' },
    sent: {
      description:
        'The mail server accepted the email. If no mail server is configured, the email was stored as a file instead. Only the latest files are kept.',
    },
    failed: { description: "The mail server rejected the email, or couldn't be reached in any attempt." },
    unconfirmed: {
      description:
        "The mail server may have accepted the email without confirming it. The email isn't sent again.",
    },
    kept: {
      description:
        "The email wasn't sent, but is kept for the dashboard. One possible reason is that the organization's owner hasn't verified an email address. In a sandbox, the recipient might not be a verified member, or the daily limit might be reached. `error` contains the reason.",
    },
    canceled: {
      description:
        "The email wasn't sent because the email was no longer needed, or because the organization turned off this type of email.",
    },
  } as const,
});

export const EmailNotification = builder.prismaObject('EmailNotification', {
  ...node({ prefix: 'eml', where: { audience: 'customer' } }),
  description:
    "An email to a customer about one event. Times are always real time, never the test clock's time.",
  fields: (t) => ({
    ...t.columns('id'),
    kind: t.computed({
      type: EmailKind,
      description: 'Type of the email.',
      columns: ['kind'],
      resolve: ({ kind }) => kindOf(kind),
    }),
    ...t.columns('recipient', 'subject'),
    text: t.field({
      type: 'String',
      nullable: true,
      description:
        "Plain text of the email, as it would be sent now. The portal link in the text doesn't work. `null` if the email would no longer be sent.",
      resolve: async (row, _args, ctx) => (await loadContent(ctx, row))?.text ?? null,
    }),
    html: t.field({
      type: 'String',
      nullable: true,
      description:
        'HTML version of the email, as it would be sent now. `null` if the email would no longer be sent.',
      resolve: async (row, _args, ctx) => (await loadContent(ctx, row))?.html ?? null,
    }),
    ...t.columns('status', 'attempts', 'nextAttemptAt', 'error'),
    ...t.columns('createdAt', 'sentAt', 'finishedAt'),
    event: t.rowById('Event', {
      id: 'eventId',
      nullable: true,
      description: 'Event that triggered the email. `null` if the event is no longer stored.',
    }),
    customer: t.rowById('Customer', { id: 'customerId', description: 'Customer who receives the email.' }),
    ...t.resource('email_notification'),
  }),
});

export const EmailConnection = connectionOf('EmailNotification', EmailNotification, 'emails');

export const EmailPreview = builder.objectRef<MailMessage>('EmailPreview').implement({
  description: 'A rendered example of a customer email.',
  fields: (t) => ({
    subject: t.member('subject', 'String').describe('Subject of the email.'),
    text: t.member('text', 'String').describe('Plain text of the email.'),
    html: t.string({ description: 'HTML version of the email.', resolve: ({ html }) => html ?? '' }),
  }),
});

const InvoiceNotSentReason = builder.enumType('InvoiceNotSentReason', {
  description: "Reason an invoice wasn't sent.",
  values: {
    customer_emails_off: { description: 'The organization turned off customer emails.' },
    sandbox: { description: 'A sandbox sends emails only to verified members of the organization.' },
    organization_unverified: {
      description: "The owner of the organization hasn't verified their email address.",
    },
    mail_server: { description: "The mail server rejected the email or didn't respond." },
  } satisfies Record<NonNullable<Delivery['reason']>, { description: string }>,
});

export const InvoiceDelivery = builder.objectRef<Delivery>('InvoiceDelivery').implement({
  description: 'Result of emailing an invoice.',
  fields: (t) => ({
    sent: t.member('sent', 'Boolean').describe('Whether the mail server accepted the email.'),
    sentAt: t
      .member('sentAt', 'DateTime')
      .describe("Time of the attempt to send the email. Always real time, never the test clock's time."),
    reason: t
      .maybe('reason', InvoiceNotSentReason)
      .describe("Reason the invoice wasn't sent. `null` if the invoice was sent."),
    ...t.resource('invoice_delivery'),
  }),
});

restView('SentInvoice', 'InvoiceDelivery', 'sent sentAt object livemode');
