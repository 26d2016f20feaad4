import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { loadPlanLimits } from './load-plan-limits.ts';
import { loadLimitStates } from './load-states.ts';
import { PlanLimit } from './types/plan-limit.ts';
import { LimitState } from './types/state.ts';

builder.subscriptionField('limitStatesChanged', (t) =>
  t.field({
    type: [LimitState],
    description:
      'Emits the limits that apply to a customer, or to a budget and its parents, with their current values: the deepest budget first. Emits immediately and after every change. Changes in quick succession are combined.',
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
      budget: t.arg.string({ description: 'Key of a budget of the customer. Defaults to the customer.' }),
    },
    subscribe: async (_root, { customerId: reference, budget: key }, ctx) => {
      const { id: customerId } = await requireCustomer(ctx, reference, 'customerId');
      const node = { customerId, budget: key ?? null };
      return watch(ctx, (present) =>
        present.once(`limits:${customerId}:${node.budget ?? ''}`, () => loadLimitStates(present, node)),
      );
    },
    resolve: (limits) => [...limits],
  }),
);

builder.subscriptionField('planLimitsChanged', (t) =>
  t.field({
    type: [PlanLimit],
    description:
      "Emits the limits from the terms of a customer's plan and add-ons, with their current values, immediately and after every change. Changes in quick succession are combined. The list is empty if no subscription gives access.",
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
    },
    subscribe: async (_root, { customerId: reference }, ctx) => {
      const { id } = await requireCustomer(ctx, reference, 'customerId');
      return watch(ctx, (present) => present.once(`plan limits:${id}`, () => loadPlanLimits(present, id)));
    },
    resolve: (limits) => [...limits],
  }),
);
