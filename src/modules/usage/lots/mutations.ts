import { creditsPool } from '../../../domain/pricing/pools.ts';
import { operation } from '../../../engine/operation.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { newId } from '../../../platform/ids.ts';
import { findGrantSubject, requireLot } from './store.ts';
import { Lot } from './types.ts';

const LotGrantInput = builder.inputType('LotGrantInput', {
  description: 'Parameters for granting a lot.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'ID or external ID of the customer.' }),
    subscriptionId: t.id({
      description:
        "ID of the subscription whose usage draws on the lot. Defaults to the customer's current subscription.",
    }),
    asset: t.string({
      rule: { minLength: 1, maxLength: 64, default: creditsPool },
      description:
        'Code of a custom unit, or the lowercase code of the currency of the subscription. Defaults to `credits`.',
    }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 1 },
      description:
        'Amount to grant, in the smallest amount of the unit or in ten-thousandths of the currency unit (10,000 = 1.00). 1 or more.',
    }),
    priority: t.int({
      rule: { minimum: 0, maximum: 100, default: 5 },
      description:
        'Priority from 0 to 100. Usage draws on lots with a lower priority first. Plans have the priority 0, and purchases 10. Defaults to 5.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      rule: { nullable: true },
      description:
        'Time from which the lot can no longer be used. Must be in the future. If omitted or `null`, the lot never expires.',
    }),
    features: t.stringList({
      rule: { maxItems: 20 },
      description: 'Codes of the features whose usage can draw on the lot, up to 20. Defaults to all usage.',
    }),
    description: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Description of the lot. Up to 1,000 characters.',
    }),
  }),
});

/** Grants a lot to a subscription (PRM-142). */
const grant = operation({
  input: LotGrantInput,
  find: findGrantSubject,
  command: ({ asset, amount, priority, expiresAt, description }, { id: subscriptionId, features }) => ({
    kind: 'lot.grant',
    lotId: newId('lot'),
    subscriptionId,
    asset: asset ?? creditsPool,
    amount: BigInt(amount),
    priority: priority ?? null,
    expiresAt: expiresAt ?? null,
    features,
    description: description ?? null,
  }),
  result: (ctx, { command }) => requireLot(ctx, command.lotId),
});

builder.mutationField('lotGrant', (t) =>
  t.operation(grant, {
    type: Lot,
    description:
      "Grants an amount to a customer's subscription without a charge. Usage draws on the lot according to its priority and end. The plan must have a pool of the asset.",
    rest: {
      method: 'POST',
      path: '/customers/{id}/lots',
      names: { customerId: 'id' },
      status: 201,
      view: 'Lot',
    },
    errors: [
      'customer_not_found',
      'no_active_subscription',
      'subscription_not_found',
      'subscription_not_active',
      'feature_not_found',
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const LotRevokeInput = builder.inputType('LotRevokeInput', {
  description: 'Parameters for revoking a lot.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the lot.' }) }),
});

/** Finds a lot with its owner. */
const onLot = async (ctx: Parameters<typeof requireLot>[0], { id }: { readonly id: string }) =>
  requireLot(ctx, id);

/** Revokes the remaining amount of a granted lot (PRM-146). */
const revoke = operation({
  input: LotRevokeInput,
  find: onLot,
  command: (_input, { id: lotId, subscriptionId }) => ({ kind: 'lot.revoke', lotId, subscriptionId }),
  result: (ctx, { command }) => requireLot(ctx, command.lotId),
});

builder.mutationField('lotRevoke', (t) =>
  t.operation(revoke, {
    type: Lot,
    description:
      "Revokes the remaining amount of a lot that was granted or added by an adjustment, or of a customer credit. Purchased lots and the plan's lot can't be revoked.",
    rest: { method: 'POST', path: '/lots/{id}/revoke', view: 'Lot' },
    errors: [['not_found', "the lot doesn't exist, or was used up, expired, or revoked"]],
    access: { scope: 'write' },
  }),
);

const LotExpirySetInput = builder.inputType('LotExpirySetInput', {
  description: 'Parameters for changing the end of a lot.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the lot.' }),
    expiresAt: t.field({
      type: 'DateTime',
      rule: { nullable: true },
      description:
        'Time from which the lot can no longer be used. Must be in the future. If omitted or `null`, the lot never expires.',
    }),
  }),
});

/** Changes the end of a lot (PRM-21). */
const setExpiry = operation({
  input: LotExpirySetInput,
  find: onLot,
  command: ({ expiresAt }, { id: lotId, subscriptionId }) => ({
    kind: 'lot.set_expiry',
    lotId,
    subscriptionId,
    expiresAt: expiresAt ?? null,
  }),
  result: (ctx, { command }) => requireLot(ctx, command.lotId),
});

builder.mutationField('lotExpirySet', (t) =>
  t.operation(setExpiry, {
    type: Lot,
    description: "Changes the end of a lot. Lots that end with their usage window can't be changed.",
    rest: { method: 'PUT', path: '/lots/{id}/expiry', view: 'Lot' },
    errors: [['not_found', "the lot doesn't exist, or was used up, expired, or revoked"]],
    access: { scope: 'write' },
  }),
);
