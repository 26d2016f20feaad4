import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { commitmentList } from './list.ts';
import { CommitmentConnection } from './types.ts';

builder.queryField('commitments', (t) =>
  t.field({
    type: CommitmentConnection,
    description: 'Lists the prepaid commitments of a subscription, newest first. Includes ended commitments.',
    rest: {
      method: 'GET',
      path: '/subscriptions/{id}/commitments',
      names: { subscriptionId: 'id' },
      view: 'Commitment',
    },
    errors: ['subscription_not_found'],
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      subscriptionId: t.arg.id({ required: true, description: 'ID of the subscription.' }),
    },
    resolve: async (_root, { subscriptionId, ...args }, ctx) => {
      const { id } = await requireSubscription(ctx, subscriptionId);
      const filter = { ...commitmentList.filter, subscriptionId: id };
      return readPage(ctx, { ...commitmentList, filter }, args);
    },
  }),
);
