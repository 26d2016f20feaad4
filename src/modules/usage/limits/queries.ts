import { QuittanceError } from '../../../domain/errors/errors.ts';
import { limitEntry } from '../../../domain/limits/entry.ts';
import { readCurrentLimits } from '../../../engine/usage/limit-states.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { listRows, readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { crossingList } from './list.ts';
import { limitRows } from './store.ts';
import { Limit, LimitConnection } from './types/limit.ts';
import { LimitCrossingConnection, LimitState } from './types/state.ts';

builder.queryField('limits', (t) =>
  t.field({
    type: LimitConnection,
    description: 'Lists limits, newest first. Deleted limits are excluded.',
    rest: { method: 'GET', path: '/limits', view: 'Limit' },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      customerId: t.arg.id({
        description: 'ID or external ID of a customer: returns only limits of the customer and its budgets.',
      }),
    },
    resolve: async (_root, { customerId, ...args }, ctx) => {
      const customer = customerId == null ? null : await requireCustomer(ctx, customerId, 'customerId');
      return listRows(ctx, 'Limit', args, { filter: { deletedAt: null, customerId: customer?.id } });
    },
  }),
);

builder.queryField('limit', (t) =>
  t.field({
    type: Limit,
    description: 'Returns a limit.',
    rest: { method: 'GET', path: '/limits/{id}', view: 'Limit' },
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the limit.' }) },
    resolve: (_root, { id }, ctx) => limitRows.require(ctx, id),
  }),
);

builder.queryField('limitStates', (t) =>
  t.field({
    type: [LimitState],
    description:
      'Returns the limits that apply to a customer, or to a budget and its parents, with their current values: the deepest budget first. Empty if the customer has no subscription that gives access.',
    rest: {
      method: 'GET',
      path: '/customers/{id}/limits',
      names: { customerId: 'id' },
      view: 'LimitState',
    },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
      budget: t.arg.string({ description: 'Key of a budget of the customer. Defaults to the customer.' }),
    },
    resolve: async (_root, { customerId, budget }, ctx) => {
      const current = await readCurrentLimits(ctx, customerId, budget ?? null);
      if ('code' in current) throw new QuittanceError(current);
      return current.tried.map(limitEntry);
    },
  }),
);

builder.queryField('limitCrossings', (t) =>
  t.field({
    type: LimitCrossingConnection,
    description: 'Lists crossings of thresholds and amounts of limits, newest first.',
    rest: { method: 'GET', path: '/limit-crossings', view: 'LimitCrossing' },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      customerId: t.arg.id({ description: 'ID or external ID of the customer to filter by.' }),
      limitId: t.arg.id({ description: 'ID of the limit to filter by.' }),
    },
    resolve: async (_root, { customerId, limitId, ...args }, ctx) => {
      const customer = customerId == null ? null : await requireCustomer(ctx, customerId, 'customerId');
      const filter = { customerId: customer?.id, limitId: limitId ?? undefined };
      return readPage(ctx, { ...crossingList, filter }, args);
    },
  }),
);
