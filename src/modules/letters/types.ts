import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { Customer } from '../customers/types.ts';
import { Event } from '../events/types.ts';
import { LetterKind } from '../organizations/types.ts';

export const LetterStatus = builder.enumType('LetterStatus', {
  description: 'How far a letter has come.',
  values: {
    pending: { description: 'Its next attempt is due or will be.' },
    sending: { description: 'It is being handed to the mail server.' },
    sent: { description: 'The mail server took it; without one it was kept as a file, unless newer ones were to take its place.' },
    failed: { description: 'The mail server refused it, or could not be reached in all attempts.' },
    unconfirmed: { description: 'The mail server may have taken it without saying so; it is not sent again.' },
    canceled: { description: 'Not sent: what it asked for had been done, or the organization no longer wanted it.' },
  } as const,
});

export const Letter = builder.prismaObject('Letter', {
  description: 'A letter to a customer about one event. Its times are operational: the test clock does not move them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `ltr_…`.' }),
    kind: t.expose('kind', { type: LetterKind, description: 'What it is about.' }),
    recipient: t.exposeString('recipient', { description: 'The address it goes to, as it was when the event was taken up.' }),
    subject: t.exposeString('subject', { nullable: true, description: 'Its subject; null before the first attempt.' }),
    status: t.expose('status', { type: LetterStatus, description: 'How far it has come.' }),
    attempts: t.exposeInt('attempts', { description: 'Attempts begun, 8 at most.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due; null when none is.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why it is not sent; null while nothing speaks against it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event was taken up.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true, description: 'When the mail server took it; null when it did not.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it ended; null while it is under way.' }),
    event: t.field({
      type: Event,
      nullable: true,
      description: 'What it is about; null when that is no longer stored.',
      resolve: ({ eventId }, _args, context) => loadRow(context, 'Event', eventId),
    }),
    customer: t.field({
      type: Customer,
      description: 'Who it is for.',
      resolve: ({ customerId }, _args, context) => loadExistingRow(context, 'Customer', customerId),
    }),
    object: t.string({ description: 'Always `letter`.', resolve: () => 'letter' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_letter, _args, context) => context.livemode }),
  }),
});

export const LetterConnection = connectionOf('Letter', Letter, 'letters');
