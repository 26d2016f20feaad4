import { builder } from '../../graphql/builder.ts';
import { pageConnectionOf } from '../../graphql/pagination.ts';
import { CustomerNote } from '../customer-notes/types.ts';
import { EmailNotification } from '../emails/types.ts';
import { Event } from '../events/types.ts';

const types: Readonly<Record<string, string>> = {
  whev: 'Event',
  eml: 'EmailNotification',
  note: 'CustomerNote',
};

const TimelineEntry = builder.unionType('TimelineEntry', {
  description: 'Something that stands on the timeline of a customer.',
  types: [Event, EmailNotification, CustomerNote],
  resolveType: ({ id }) => types[id.slice(0, id.indexOf('_'))],
});

export const TimelineConnection = pageConnectionOf(
  'TimelineEntry',
  TimelineEntry,
  'entries of a timeline',
  'newest first',
);
