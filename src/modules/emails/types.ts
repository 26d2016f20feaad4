import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import type { MailMessage } from '../../platform/mail.ts';
import { EmailKind } from '../organizations/types/organization.ts';
import { loadContent } from './load-content.ts';
import { kindOf } from './store.ts';

export const EmailStatus = builder.enumType('EmailStatus', {
  description: 'How far an email has come.',
  values: {
    pending: { description: 'Its next attempt is due or will be.' },
    sending: { description: 'It is being handed to the mail server.' },
    sent: {
      description:
        'The mail server took it; without one it was kept as a file, unless newer ones were to take its place.',
    },
    failed: { description: 'The mail server rejected it, or could not be reached in all attempts.' },
    unconfirmed: {
      description: 'The mail server may have taken it without saying so; it is not sent again.',
    },
    canceled: {
      description: 'Not sent: what it asked for had been done, or the organization no longer wanted it.',
    },
  } as const,
});

export const EmailNotification = builder.prismaObject('EmailNotification', {
  ...node({ prefix: 'eml', where: { audience: 'customer' } }),
  description:
    'An email to a customer about one event. Its times are operational: the test clock does not move them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `eml_…`.' }),
    kind: t.computed({
      type: EmailKind,
      description: 'What it is about.',
      columns: ['kind'],
      resolve: ({ kind }) => kindOf(kind),
    }),
    recipient: t.exposeString('recipient', {
      description: 'The address it goes to, as it was when the event was taken up.',
    }),
    subject: t.exposeString('subject', {
      nullable: true,
      description: 'Its subject; null before the first attempt.',
    }),
    text: t.field({
      type: 'String',
      nullable: true,
      description:
        'What it says, as plain text, written as it would be now; its link to the portal leads nowhere. Null where it would not be sent any more.',
      resolve: async (row, _args, ctx) => (await loadContent(ctx, row))?.text ?? null,
    }),
    html: t.field({
      type: 'String',
      nullable: true,
      description: 'The same with layout, as HTML; null where it would not be sent any more.',
      resolve: async (row, _args, ctx) => (await loadContent(ctx, row))?.html ?? null,
    }),
    status: t.expose('status', { type: EmailStatus, description: 'How far it has come.' }),
    attempts: t.exposeInt('attempts', { description: 'Attempts begun, 8 at most.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due; null when none is.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why it is not sent; null while nothing speaks against it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event was taken up.' }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the mail server took it; null when it did not.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while it is under way.',
    }),
    event: t.rowById('Event', {
      id: 'eventId',
      nullable: true,
      description: 'What it is about; null when that is no longer stored.',
    }),
    customer: t.rowById('Customer', { id: 'customerId', description: 'Who it is for.' }),
    object: t.string({ description: 'Always `email_notification`.', resolve: () => 'email_notification' }),
    livemode: t.livemode(),
  }),
});

export const EmailConnection = connectionOf('EmailNotification', EmailNotification, 'emails');

export const EmailPreview = builder.objectRef<MailMessage>('EmailPreview').implement({
  description: 'An email as it would be sent.',
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'Its subject.' }),
    text: t.exposeString('text', { description: 'What it says, as plain text.' }),
    html: t.string({ description: 'The same with layout, as HTML.', resolve: ({ html }) => html ?? '' }),
  }),
});
