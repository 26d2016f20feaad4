import { builder } from '../../../graphql/builder.ts';
import { findNode, Node } from '../../../graphql/node.ts';
import type { SearchHit, SearchKind, SearchMatch } from '../store.ts';

export const SearchKindType = builder.enumType('SearchKind', {
  description: 'What can be found.',
  values: {
    customer: { description: 'A customer, by id, external id, email address or name.' },
    subscription: { description: 'A subscription, by id.' },
    invoice: { description: 'An invoice, by id or number.' },
    payment: { description: 'A payment, by id.' },
    transaction: { description: 'A transaction, by id.' },
    plan: { description: 'A plan, by id, name or code.' },
    feature: { description: 'A feature, by id, name or code.' },
    offer: { description: 'An offer, by id or name.' },
    promo_code: { description: 'A promo code, by id or the beginning of its code.' },
    webhook: { description: 'A webhook endpoint, by id or address.' },
    event: { description: 'An event, by id.' },
  } satisfies Record<SearchKind, { description: string }>,
});

const SearchMatchType = builder.enumType('SearchMatch', {
  description: 'What of an object matches.',
  values: {
    id: { description: 'Its id.' },
    external_id: { description: 'Its external id.' },
    number: { description: 'Its number.' },
    email: { description: 'Its email address.' },
    name: { description: 'Its name.' },
    code: { description: 'Its code.' },
    url: { description: 'Its address.' },
  } satisfies Record<SearchMatch, { description: string }>,
});

export const SearchHitType = builder.objectRef<SearchHit>('SearchHit').implement({
  description: 'An object that was found.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SearchKindType, description: 'What it is.' }),
    matched: t.expose('matched', { type: SearchMatchType, description: 'What of it matches.' }),
    node: t.field({
      type: Node,
      nullable: true,
      description: 'The object; null where the caller may not see it or where there is none with the id.',
      resolve: ({ id }, _args, ctx, info) => findNode(ctx, id, info),
    }),
  }),
});
