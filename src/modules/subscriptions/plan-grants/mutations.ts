import { operation } from '../../../engine/operation.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { newId } from '../../../platform/ids.ts';
import { onGrant, requireGrant, sourceOf, termOf } from './store.ts';
import { PlanGrant, PlanGrantDuration } from './types.ts';

const words = {
  customer: 'ID or external ID of the customer.',
  grant: 'ID of an active plan grant.',
  duration: 'Rule that determines the end of the grant.',
  cycles:
    'Number of billing periods until the grant ends, including the current period. From 1 to 1,000. Required for the duration `cycles`, not allowed otherwise.',
  expiresAt:
    'Time at which the grant ends. Must be in the future. Required for the duration `until_date`, not allowed otherwise.',
} as const;

const reason = { minLength: 1, maxLength: 1_000, multiline: true } as const;
const cycles = { minimum: 1, maximum: 1_000 } as const;

/** Returns the required input fields for each duration type. The fields in `members` are always required. */
const formsWith = (members: readonly string[]) => ({
  by: 'duration',
  members: {
    cycles: { required: [...members, 'durationCycles'] },
    until_date: { required: [...members, 'expiresAt'] },
    until_revoked: { required: members },
  },
});

const PlanGrantCreateInput = builder.inputType('PlanGrantCreateInput', {
  description: 'Parameters for granting temporary access to a higher-ranked plan.',
  forms: formsWith(['customerId', 'subscriptionId', 'planId', 'reason']),
  fields: (t) => ({
    customerId: t.id({ required: true, description: words.customer }),
    subscriptionId: t.id({
      required: true,
      description:
        'ID of an active subscription of the customer. The subscription must have a recurring interval.',
    }),
    planId: t.id({
      required: true,
      description: "ID of a plan that ranks above the subscription's plan in the same plan group.",
    }),
    reason: t.string({
      required: true,
      rule: reason,
      description: 'Reason for the plan grant. From 1 to 1,000 characters.',
    }),
    duration: t.field({ type: PlanGrantDuration, required: true, description: words.duration }),
    durationCycles: t.field({ type: 'Int', rule: cycles, description: words.cycles }),
    expiresAt: t.field({ type: 'DateTime', description: words.expiresAt }),
  }),
});

/** Grants a subscription temporary access to a higher-ranked plan (SUB-53). */
const grantCreate = operation({
  input: PlanGrantCreateInput,
  ...onGrant,
  command: (input, _customer, ctx) => ({
    kind: 'grant.create',
    grantId: newId('pgr'),
    subscriptionId: input.subscriptionId,
    planId: input.planId,
    reason: input.reason,
    source: sourceOf(ctx),
    ...termOf(input),
  }),
  result: (ctx, { command }) => requireGrant(ctx, command.grantId),
});

builder.mutationField('planGrantCreate', (t) =>
  t.operation(grantCreate, {
    type: PlanGrant,
    description:
      "Grants an active recurring subscription temporary access to a higher-ranked plan in its plan group. During the grant, the customer's access combines what both plans include. Billing doesn't change. Both plans must be metered and can't have overage or token-based features. The subscription can't have active add-ons.",
    rest: {
      method: 'POST',
      path: '/customers/{id}/plan-grants',
      names: { customerId: 'id' },
      status: 201,
      view: 'PlanGrant',
    },
    errors: [
      'customer_not_found',
      'subscription_not_found',
      'subscription_not_active',
      'plan_not_found',
      ['duplicate', 'the subscription already has an active plan grant'],
      'plans_not_in_same_group',
      'charge_in_progress',
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const PlanGrantUpdateInput = builder.inputType('PlanGrantUpdateInput', {
  description: 'Parameters for changing the duration of a plan grant.',
  forms: formsWith(['customerId', 'grantId', 'reason']),
  fields: (t) => ({
    customerId: t.id({ required: true, description: words.customer }),
    grantId: t.id({ required: true, description: words.grant }),
    reason: t.string({
      required: true,
      rule: reason,
      description: 'Reason for the change. From 1 to 1,000 characters.',
    }),
    duration: t.field({ type: PlanGrantDuration, required: true, description: words.duration }),
    durationCycles: t.field({ type: 'Int', rule: cycles, description: words.cycles }),
    expiresAt: t.field({ type: 'DateTime', description: words.expiresAt }),
  }),
});

/** Replaces the duration of a plan grant (SUB-56). */
const grantUpdate = operation({
  input: PlanGrantUpdateInput,
  ...onGrant,
  command: (input, _customer, ctx) => ({
    kind: 'grant.update',
    grantId: input.grantId,
    reason: input.reason,
    source: sourceOf(ctx),
    ...termOf(input),
  }),
  result: (ctx, { command }) => requireGrant(ctx, command.grantId),
});

builder.mutationField('planGrantUpdate', (t) =>
  t.operation(grantUpdate, {
    type: PlanGrant,
    description:
      'Replaces the duration of a plan grant. The current period is the first billing period of the new duration.',
    rest: {
      method: 'PATCH',
      path: '/customers/{id}/plan-grants/{grantId}',
      names: { customerId: 'id' },
      view: 'PlanGrant',
    },
    errors: ['customer_not_found', ['not_found', "the plan grant doesn't exist or has ended"]],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const PlanGrantRevokeInput = builder.inputType('PlanGrantRevokeInput', {
  description: 'Parameters for revoking a plan grant.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: words.customer }),
    grantId: t.id({ required: true, description: words.grant }),
    reason: t.string({
      required: true,
      rule: reason,
      description: 'Reason for the revocation. From 1 to 1,000 characters.',
    }),
  }),
});

/** Revokes a plan grant immediately (SUB-56). */
const grantRevoke = operation({
  input: PlanGrantRevokeInput,
  ...onGrant,
  command: ({ grantId, reason: revokedFor }, _customer, ctx) => ({
    kind: 'grant.revoke',
    grantId,
    reason: revokedFor,
    source: sourceOf(ctx),
  }),
  result: (ctx, { command }) => requireGrant(ctx, command.grantId),
});

builder.mutationField('planGrantRevoke', (t) =>
  t.operation(grantRevoke, {
    type: PlanGrant,
    description:
      "Revokes a plan grant immediately. The customer keeps only the access that the subscription's plan includes. Usage, seats, and quota above the plan's limits are kept.",
    rest: {
      method: 'POST',
      path: '/customers/{id}/plan-grants/{grantId}/revoke',
      names: { customerId: 'id' },
      view: 'PlanGrant',
    },
    errors: ['customer_not_found', ['not_found', "the plan grant doesn't exist or has ended"]],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);
