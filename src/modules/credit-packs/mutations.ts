import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { createCreditPack } from './create.ts';
import { deleteCreditPack } from './delete.ts';
import { CreditPack } from './types.ts';
import { updateCreditPack } from './update.ts';

const description = { maxLength: 2_000, multiline: true } as const;
const positive = { minimum: 1 } as const;

const CreditPackCreateInput = builder.inputType('CreditPackCreateInput', {
  description: 'A new credit pack.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Unique in the environment, 1 to 200 characters.',
    }),
    credits: t.field({
      type: 'SafeInt',
      required: true,
      rule: positive,
      description: 'Credits one purchase grants, above 0.',
    }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      rule: positive,
      amount: 'MINOR',
      description: 'US cents, above 0.',
    }),
    description: t.string({ rule: description, description: 'Up to 2 000 characters.' }),
    isActive: t.boolean({
      rule: { default: true },
      description: 'Defaults to true; false keeps it off the list and out of sale.',
    }),
  }),
});

builder.mutationField('creditPackCreate', (t) =>
  t.field({
    type: CreditPack,
    description: 'Creates a credit pack. `duplicate` when another one has the name.',
    rest: { method: 'POST', path: '/credit-packs', status: 201, view: 'CreditPack', errors: ['duplicate'] },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: CreditPackCreateInput, required: true, description: 'The new credit pack.' }),
    },
    resolve: (_root, { input }, ctx) => createCreditPack(ctx, input),
  }),
);

const CreditPackUpdateInput = builder.inputType('CreditPackUpdateInput', {
  description: 'Changes to a credit pack; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the credit pack.' }),
    name: t.string({ rule: name, description: 'Unique in the environment, 1 to 200 characters.' }),
    description: t.string({ rule: description, description: 'Up to 2 000 characters.' }),
    credits: t.field({
      type: 'SafeInt',
      rule: positive,
      description: 'Credits one purchase grants, above 0.',
    }),
    price: t.field({ type: 'SafeInt', rule: positive, amount: 'MINOR', description: 'US cents, above 0.' }),
    isActive: t.boolean({ description: 'False takes it off the list and out of sale; true brings it back.' }),
  }),
});

builder.mutationField('creditPackUpdate', (t) =>
  t.field({
    type: CreditPack,
    description:
      'Changes a credit pack, active or not. Only later purchases feel it; credits bought before stay as they are.',
    rest: {
      method: 'PATCH',
      path: '/credit-packs/{id}',
      view: 'CreditPack',
      errors: ['credit_pack_not_found', 'duplicate'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: CreditPackUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updateCreditPack(ctx, input),
  }),
);

const CreditPackDeleteInput = builder.inputType('CreditPackDeleteInput', {
  description: 'Which credit pack to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the credit pack.' }) }),
});

builder.mutationField('creditPackDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Takes a credit pack out of the catalog; credits bought with it stay. Its name is free again.',
    rest: {
      method: 'DELETE',
      path: '/credit-packs/{id}',
      view: 'DeletedObject',
      errors: ['credit_pack_not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: CreditPackDeleteInput, required: true, description: 'The credit pack.' }) },
    resolve: (_root, { input }, ctx) => deleteCreditPack(ctx, input.id),
  }),
);
