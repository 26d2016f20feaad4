import { builder } from '../../../graphql/reading/builder.ts';
import { prefixOf } from '../../../platform/ids.ts';
import { ApiKey } from '../../organization/api-keys/types.ts';
import { Member } from '../../organization/members/types.ts';
import { Customer } from '../customers/types.ts';

/** Types of actors, by the prefix of their IDs. */
const actorTypes: Readonly<Record<string, string>> = { key: 'ApiKey', mem: 'Member', cus: 'Customer' };

export const EventActor = builder.unionType('EventActor', {
  description: 'Actor that caused an event: an API key, a member of the organization, or a customer.',
  types: [ApiKey, Member, Customer],
  resolveType: ({ id }) => actorTypes[prefixOf(id)],
});
