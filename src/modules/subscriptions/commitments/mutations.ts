import { operation } from '../../../engine/operation.ts';
import { amountAboveZero } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { onPurchase, purchaseErrors, requireBought } from '../purchases/store.ts';
import { CommitmentEnd, CommitmentUse } from './enums.ts';
import { requireCommitment, requirePaidCommitment } from './store.ts';
import { Commitment } from './types.ts';

const CommitmentPurchaseInput = builder.inputType('CommitmentPurchaseInput', {
  description: 'Parameters for purchasing a prepaid commitment.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: 'ID of the subscription.' }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountAboveZero,
      description:
        "Price of a term before tax, in the smallest unit of the subscription's currency, such as cents. From 1 to 900,000,000,000,000.",
    }),
    grant: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 1 },
      description:
        'Amount that can be used, in the smallest amount of the unit or in ten-thousandths of the currency unit (10,000 = 1.00). 1 or more. A multiple of the smallest currency unit if the commitment pays usage lines.',
    }),
    asset: t.string({
      rule: { minLength: 1, maxLength: 64 },
      description:
        "Code of a custom unit, or the lowercase code of the subscription's currency. Defaults to the plan's first pool, or to the currency if the plan is metered.",
    }),
    validMonths: t.int({
      required: true,
      rule: { minimum: 1, maximum: 60 },
      description: 'Number of months in a term, from 1 to 60.',
    }),
    atEnd: t.field({
      type: CommitmentEnd,
      rule: { default: 'expire' },
      description: 'Effect of the end of the term on the remaining amount. Defaults to `expire`.',
    }),
    autoRenew: t.boolean({
      rule: { default: false },
      description: 'Whether the end of the term purchases the commitment again. Defaults to `false`.',
    }),
    appliesTo: t.field({
      type: CommitmentUse,
      description:
        'Charges that the commitment pays for. Defaults to `usage_lines` for metered plans, and to `usage` otherwise.',
    }),
    description: t.string({
      rule: { maxLength: 200 },
      description:
        'Description, which invoices show. Up to 200 characters. Defaults to "Prepaid commitment".',
    }),
  }),
});

/** Purchases a prepaid commitment for a subscription (PRM-24). */
export const commitmentPurchase = operation({
  input: CommitmentPurchaseInput,
  ...onPurchase,
  command: ({
    subscriptionId,
    price,
    grant,
    asset,
    validMonths,
    atEnd,
    autoRenew,
    appliesTo,
    description,
  }) => ({
    kind: 'commitment.purchase',
    subscriptionId,
    priceMinor: BigInt(price),
    amount: BigInt(grant),
    asset: asset ?? null,
    appliesTo: appliesTo ?? null,
    validMonths,
    atEnd: atEnd ?? 'expire',
    autoRenew: autoRenew ?? false,
    description: description ?? null,
  }),
  result: async (ctx, { done }) => requirePaidCommitment(ctx, (await requireBought(ctx, done)).id),
});

builder.mutationField('commitmentPurchase', (t) =>
  t.operation(commitmentPurchase, {
    type: Commitment,
    description:
      'Purchases a prepaid commitment for a subscription and charges the stored payment method. The amount can be used after the charge succeeds. It pays for usage, or for usage line items before tax on invoices of metered plans.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/commitments',
      names: { subscriptionId: 'id' },
      status: 201,
      view: 'Commitment',
    },
    errors: purchaseErrors,
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const CommitmentUpdateInput = builder.inputType('CommitmentUpdateInput', {
  description: "Parameters for changing the end of a prepaid commitment's term.",
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the commitment.' }),
    atEnd: t.field({
      type: CommitmentEnd,
      description: 'Effect of the end of the term on the remaining amount. Defaults to the current value.',
    }),
    autoRenew: t.boolean({
      description:
        'Whether the end of the term purchases the commitment again. Defaults to the current value.',
    }),
  }),
});

/** Changes the end of a commitment's term (PRM-24). */
const update = operation({
  input: CommitmentUpdateInput,
  find: (ctx, { id }) => requireCommitment(ctx, id),
  command: ({ atEnd, autoRenew }, { id: lotId, subscriptionId }) => ({
    kind: 'commitment.update',
    subscriptionId,
    lotId,
    atEnd: atEnd ?? null,
    autoRenew: autoRenew ?? null,
  }),
  result: (ctx, { command }) => requireCommitment(ctx, command.lotId),
});

builder.mutationField('commitmentUpdate', (t) =>
  t.operation(update, {
    type: Commitment,
    description:
      "Changes the effect of the end of a prepaid commitment's term. To cancel a commitment, set `autoRenew` to `false`: the remaining amount can be used until the end of the term.",
    rest: { method: 'PATCH', path: '/commitments/{id}', view: 'Commitment' },
    errors: [['not_found', "the commitment doesn't exist or has ended"]],
    access: { scope: 'write' },
  }),
);
