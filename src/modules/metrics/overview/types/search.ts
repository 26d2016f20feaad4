import { builder } from '../../../../graphql/reading/builder.ts';
import { findNode, Node } from '../../../../graphql/reading/node.ts';
import type { SearchHit, SearchKind, SearchMatch } from '../store.ts';

export const SearchKindType = builder.enumType('SearchKind', {
  description: 'Type of object that a search finds.',
  values: {
    customer: { description: 'A customer, found by ID, external ID, email address, or name.' },
    subscription: { description: 'A subscription, found by ID.' },
    invoice: { description: 'An invoice, found by ID or number.' },
    payment: { description: 'A payment, found by ID.' },
    transaction: { description: 'A transaction, found by ID.' },
    plan: { description: 'A plan, found by ID, name, or code.' },
    feature: { description: 'A feature, found by ID, name, or code.' },
    offer: { description: 'An offer, found by ID or name.' },
    promo_code: { description: 'A promo code, found by ID or the start of its code.' },
    webhook: { description: 'A webhook endpoint, found by ID or URL.' },
    event: { description: 'An event, found by ID.' },
  } satisfies Record<SearchKind, { description: string }>,
});

const SearchMatchType = builder.enumType('SearchMatch', {
  description: 'Property of an object that matches the search.',
  values: {
    id: { description: 'The ID matches.' },
    external_id: { description: 'The external ID matches.' },
    number: { description: 'The number matches.' },
    email: { description: 'The email address matches.' },
    name: { description: 'The name matches.' },
    code: { description: 'The code matches.' },
    url: { description: 'The URL matches.' },
  } satisfies Record<SearchMatch, { description: string }>,
});

export const SearchHitType = builder.objectRef<SearchHit>('SearchHit').implement({
  description: 'An object found by a search.',
  fields: (t) => ({
    kind: t.member('kind', SearchKindType).describe('Type of the object that was found.'),
    matched: t.member('matched', SearchMatchType).describe('Property that matches the search.'),
    node: t.field({
      type: Node,
      nullable: true,
      description:
        "Object that was found. `null` if the caller can't read the object, or if no object has the ID.",
      resolve: ({ id }, _args, ctx, info) => findNode(ctx, id, info),
    }),
  }),
});
