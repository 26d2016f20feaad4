import { amountAboveZero, description, name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { creditPackRows } from './store.ts';
import { CreditPack } from './types.ts';

const positive = { minimum: 1 } as const;
const days = { minimum: 1, maximum: 3_650 } as const;

const CreditPackCreateInput = builder.inputType('CreditPackCreateInput', {
  description: 'Parameters for creating a credit pack.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Name of the credit pack, unique in the environment. From 1 to 200 characters.',
    }),
    credits: t.field({
      type: 'SafeInt',
      required: true,
      rule: positive,
      description: 'Number of credits per purchase, 1 or more.',
    }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      rule: amountAboveZero,
      amount: 'MINOR',
      description: 'Price per purchase in US cents, 1 or more.',
    }),
    description: t.string({
      rule: description,
      description: 'Description of the credit pack. Up to 2,000 characters.',
    }),
    isActive: t.boolean({
      rule: { default: true },
      description: 'Whether the credit pack can be purchased and is listed by default. Defaults to `true`.',
    }),
    validDays: t.int({
      rule: { ...days, nullable: true },
      description:
        "Number of days for which purchased credits are valid, from 1 to 3,650. If omitted or `null`, purchased credits don't expire.",
    }),
    refundTakesBack: t.boolean({
      rule: { default: false },
      description: 'Whether a refund of a purchase removes unused credits. Defaults to `false`.',
    }),
  }),
});

builder.mutationField('creditPackCreate', (t) =>
  t.field({
    type: CreditPack,
    description: 'Creates a credit pack.',
    rest: { method: 'POST', path: '/credit-packs', status: 201, view: 'CreditPack' },
    errors: [['duplicate', 'another credit pack has the same name']],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: CreditPackCreateInput, required: true }),
    },
    resolve: (_root, { input: { price, ...input } }, ctx) =>
      creditPackRows.create(ctx, { ...input, priceMinor: price }),
  }),
);

const CreditPackUpdateInput = builder.inputType('CreditPackUpdateInput', {
  description: 'Parameters for changing a credit pack. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the credit pack.' }),
    name: t.string({
      rule: name,
      description: 'Name of the credit pack, unique in the environment. From 1 to 200 characters.',
    }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Description of the credit pack. Up to 2,000 characters. `null` removes the description.',
    }),
    credits: t.field({
      type: 'SafeInt',
      rule: positive,
      description: 'Number of credits per purchase, 1 or more.',
    }),
    price: t.field({
      type: 'SafeInt',
      rule: amountAboveZero,
      amount: 'MINOR',
      description: 'Price per purchase in US cents, 1 or more.',
    }),
    isActive: t.boolean({
      description: 'Whether the credit pack can be purchased and is listed by default.',
    }),
    validDays: t.int({
      rule: { ...days, nullable: true },
      description:
        "Number of days for which purchased credits are valid, from 1 to 3,650. `null` if purchased credits don't expire. Only later purchases are affected.",
    }),
    refundTakesBack: t.boolean({
      description:
        'Whether a refund of a purchase removes unused credits. Only later purchases are affected.',
    }),
  }),
});

builder.mutationField('creditPackUpdate', (t) =>
  t.field({
    type: CreditPack,
    description: 'Changes an active or inactive credit pack. Only later purchases are affected.',
    rest: {
      method: 'PATCH',
      path: '/credit-packs/{id}',
      view: 'CreditPack',
    },
    errors: ['credit_pack_not_found', ['duplicate', 'another credit pack has the same name']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CreditPackUpdateInput, required: true }) },
    resolve: (_root, { input: { id, price, ...input } }, ctx) =>
      creditPackRows.update(ctx, id, { ...input, priceMinor: price }),
  }),
);

deletionField('creditPackDelete', {
  of: 'a credit pack',
  reference: 'ID of the credit pack.',
  description:
    "Deletes a credit pack. Purchased credits aren't affected. The name of the credit pack can be reused.",
  path: '/credit-packs/{id}',
  errors: ['credit_pack_not_found'],
  access: { scope: 'write' },
  delete: (ctx, id) => creditPackRows.delete(ctx, id),
});
