import { builder } from '../../../graphql/reading/builder.ts';
import { pageConnectionOf } from '../../../graphql/reading/pagination.ts';
import { prefixOf } from '../../../platform/ids.ts';
import { CustomerNote } from '../../customers/notes/types.ts';
import { EmailNotification } from '../emails/types.ts';
import { Event } from '../events/types.ts';

const types: Readonly<Record<string, string>> = {
  whev: 'Event',
  eml: 'EmailNotification',
  note: 'CustomerNote',
};

const TimelineEntry = builder.unionType('TimelineEntry', {
  description: "Entry in a customer's timeline.",
  types: [Event, EmailNotification, CustomerNote],
  resolveType: ({ id }) => types[prefixOf(id)],
});

export const TimelineConnection = pageConnectionOf(
  'TimelineEntry',
  TimelineEntry,
  'timeline entries',
  'newest first',
);
