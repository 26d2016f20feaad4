import { builder } from '../../../graphql/reading/builder.ts';
import { listRows, readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { present } from '../../../platform/db/rows.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { LimitCrossingCause } from './enums.ts';
import { crossingList } from './list.ts';
import { loadPlanLimits } from './load-plan-limits.ts';
import { loadLimitStates } from './load-states.ts';
import { limitRows } from './store.ts';
import { LimitCrossingConnection } from './types/crossing.ts';
import { Limit, LimitConnection } from './types/limit.ts';
import { PlanLimit } from './types/plan-limit.ts';
import { LimitState } from './types/state.ts';

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
      templates: t.arg.boolean({
        description: 'Whether to return only templates (`true`) or no templates (`false`). Defaults to both.',
      }),
      shared: t.arg.boolean({
        description:
          'Whether to return only limits of the organization and of plans. Defaults to `false`, which returns all limits.',
      }),
      single: t.arg.boolean({
        description:
          'Whether to return only limits of one customer or budget, without templates. Defaults to `false`, which returns all limits.',
      }),
    },
    resolve: async (_root, { customerId, templates, shared, single, ...args }, ctx) => {
      const customer = customerId == null ? null : await requireCustomer(ctx, customerId, 'customerId');
      const each = templates == null ? undefined : templates ? present : null;
      const scope =
        shared === true
          ? { customerId: null, each: null, apiKeyId: null, memberId: null }
          : single === true
            ? { customerId: customer?.id ?? present, each: null }
            : { customerId: customer?.id, each };
      return listRows(ctx, 'Limit', args, { filter: { deletedAt: null, ...scope } });
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
      'Returns the limits that apply to a customer, or to a budget and its parents, with their current values: the deepest budget first, then the customer, the plan, and the organization. Empty if the customer has no subscription that gives access.',
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
    resolve: async (_root, { customerId, budget }, ctx) => [
      ...(await loadLimitStates(ctx, { customerId, budget: budget ?? null })),
    ],
  }),
);

builder.queryField('planLimits', (t) =>
  t.field({
    type: [PlanLimit],
    description:
      "Returns the limits from the terms of a customer's plan and add-ons, with their current values, in the order of the features' codes: limits on included units, seats, and quota units, then limits on credits, other custom units, and the balance. Features without a limit are excluded. Empty if the customer has no subscription that gives access.",
    rest: {
      method: 'GET',
      path: '/customers/{id}/plan-limits',
      names: { customerId: 'id' },
      view: 'PlanLimit',
    },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
    },
    resolve: async (_root, { customerId }, ctx) => {
      const { id } = await requireCustomer(ctx, customerId, 'customerId');
      return [...(await loadPlanLimits(ctx, id))];
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
      callerId: t.arg.id({
        description: 'ID of the API key or member whose operations crossed the limit.',
      }),
      cause: t.arg({
        type: LimitCrossingCause,
        description: 'Reason to filter by. `rejected` returns only crossings at which usage was rejected.',
      }),
    },
    resolve: async (_root, { customerId, limitId, callerId, cause, ...args }, ctx) => {
      const customer = customerId == null ? null : await requireCustomer(ctx, customerId, 'customerId');
      const filter = {
        customerId: customer?.id,
        limitId: limitId ?? undefined,
        nodeId: callerId ?? undefined,
        cause: cause ?? undefined,
      };
      return readPage(ctx, { ...crossingList, filter }, args);
    },
  }),
);
