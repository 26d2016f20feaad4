import { builder } from '../../graphql/builder.ts';
import { createGrant } from './create.ts';
import { revokeGrant } from './revoke.ts';
import { PlanGrant, PlanGrantDuration } from './types.ts';
import { updateGrant } from './update.ts';

const words = {
  customer: 'Our id of the customer, else its external id.',
  grant: 'Id of a plan grant that is active.',
  reason: 'Why, 1 to 1000 characters.',
  duration: 'How the end is set.',
  cycles:
    'With `cycles` only: how many boundaries of the billing period from now, 1 to 1000; 1 is the end of the current period.',
  expiresAt: 'With `until_date` only: when it ends, in the future.',
} as const;

const reason = { minLength: 1, maxLength: 1_000, multiline: true } as const;
const cycles = { minimum: 1, maximum: 1_000 } as const;

/** What each duration needs beside these members. */
const formsWith = (members: readonly string[]) => ({
  by: 'duration',
  members: {
    cycles: { required: [...members, 'durationCycles'] },
    until_date: { required: [...members, 'expiresAt'] },
    until_revoked: { required: members },
  },
});

const PlanGrantCreateInput = builder.inputType('PlanGrantCreateInput', {
  description: 'Temporary access to a higher plan.',
  forms: formsWith(['customerId', 'subscriptionId', 'planId', 'reason']),
  fields: (t) => ({
    customerId: t.id({ required: true, description: words.customer }),
    subscriptionId: t.id({
      required: true,
      description: 'Id of an active subscription of the customer with a recurring interval.',
    }),
    planId: t.id({
      required: true,
      description: "Id of a plan in the same group that ranks above the subscription's.",
    }),
    reason: t.string({ required: true, rule: reason, description: words.reason }),
    duration: t.field({ type: PlanGrantDuration, required: true, description: words.duration }),
    durationCycles: t.field({ type: 'Int', rule: cycles, description: words.cycles }),
    expiresAt: t.field({ type: 'DateTime', description: words.expiresAt }),
  }),
});

builder.mutationField('planGrantCreate', (t) =>
  t.field({
    type: PlanGrant,
    description:
      'Gives an active recurring subscription access to a higher plan of its group for a time, on what both plans give together, without touching billing. Rejected with `validation_error` unless both plans are metered and neither sells overage or use by AI model, and while add-ons are active; `duplicate` while another grant is active.',
    rest: {
      method: 'POST',
      path: '/customers/{id}/plan-grants',
      names: { customerId: 'id' },
      status: 201,
      view: 'PlanGrant',
      errors: [
        'customer_not_found',
        'subscription_not_found',
        'subscription_not_active',
        'plan_not_found',
        'duplicate',
        'plans_not_in_same_group',
        'charge_in_progress',
      ],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanGrantCreateInput,
        required: true,
        description: 'The customer, the plan and the duration.',
      }),
    },
    resolve: (_root, { input }, ctx) => createGrant(ctx, input),
  }),
);

const PlanGrantUpdateInput = builder.inputType('PlanGrantUpdateInput', {
  description: 'Another duration for a plan grant.',
  forms: formsWith(['customerId', 'grantId', 'reason']),
  fields: (t) => ({
    customerId: t.id({ required: true, description: words.customer }),
    grantId: t.id({ required: true, description: words.grant }),
    reason: t.string({ required: true, rule: reason, description: words.reason }),
    duration: t.field({ type: PlanGrantDuration, required: true, description: words.duration }),
    durationCycles: t.field({ type: 'Int', rule: cycles, description: words.cycles }),
    expiresAt: t.field({ type: 'DateTime', description: words.expiresAt }),
  }),
});

builder.mutationField('planGrantUpdate', (t) =>
  t.field({
    type: PlanGrant,
    description:
      'Replaces how long a plan grant lasts; boundaries are counted afresh from the current period. `not_found` for one that has ended.',
    rest: {
      method: 'PATCH',
      path: '/customers/{id}/plan-grants/{grantId}',
      names: { customerId: 'id' },
      view: 'PlanGrant',
      errors: ['customer_not_found', 'not_found'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanGrantUpdateInput,
        required: true,
        description: 'The grant and its duration.',
      }),
    },
    resolve: (_root, { input }, ctx) => updateGrant(ctx, input),
  }),
);

const PlanGrantRevokeInput = builder.inputType('PlanGrantRevokeInput', {
  description: 'Which plan grant to end.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: words.customer }),
    grantId: t.id({ required: true, description: words.grant }),
    reason: t.string({ required: true, rule: reason, description: words.reason }),
  }),
});

builder.mutationField('planGrantRevoke', (t) =>
  t.field({
    type: PlanGrant,
    description:
      'Ends a plan grant immediately: access is what the plan gives, and what is used or held beyond that stays. `not_found` for one that has ended.',
    rest: {
      method: 'POST',
      path: '/customers/{id}/plan-grants/{grantId}/revoke',
      names: { customerId: 'id' },
      view: 'PlanGrant',
      errors: ['customer_not_found', 'not_found'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PlanGrantRevokeInput, required: true, description: 'The grant, and why.' }),
    },
    resolve: (_root, { input }, ctx) => revokeGrant(ctx, input),
  }),
);
