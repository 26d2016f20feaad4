import { validationError } from '../../../domain/errors/errors.ts';
import { creditsPool } from '../../../domain/pricing/pools.ts';
import { amountAboveZero, code as codeRule, description, name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { archiveAsset, createAsset, creditPackRows, lockAsset, updateAsset } from './store.ts';
import { Asset, CreditPack } from './types.ts';

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
      description:
        'Number of credits per purchase, 1 or more. For another custom unit, in the smallest amount of the unit.',
    }),
    asset: t.string({
      rule: { minLength: 1, maxLength: 64, default: creditsPool },
      description:
        "Code of the custom unit that the credit pack sells. Can't be changed later. Defaults to `credits`.",
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
      creditPackRows.create(ctx, async (tx) => {
        if (input.asset != null && (await lockAsset(tx, input.asset)) === null)
          throw validationError([
            { field: 'asset', message: 'The asset must be the code of a custom unit.' },
          ]);
        return { ...input, priceMinor: price };
      }),
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
      description:
        'Number of credits per purchase, 1 or more. For another custom unit, in the smallest amount of the unit.',
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

const shortName = { minLength: 1, maxLength: 100 } as const;
const symbolRule = { minLength: 1, maxLength: 8, nullable: true } as const;
const own = 'Code of the unit.';

const AssetCreateInput = builder.inputType('AssetCreateInput', {
  description: 'Parameters for creating a custom unit.',
  fields: (t) => ({
    code: t.string({
      required: true,
      rule: codeRule,
      description:
        "Code of the unit, unique in the environment. From 1 to 50 lowercase letters, digits, and underscores. Can't be a currency. Can't be changed later.",
    }),
    name: t.string({
      required: true,
      rule: shortName,
      description: 'Name of the unit, shown to customers. From 1 to 100 characters.',
    }),
    symbol: t.string({
      rule: symbolRule,
      description: 'Symbol of the unit. From 1 to 8 characters.',
    }),
    decimals: t.int({
      rule: { minimum: 0, maximum: 6, default: 0 },
      description: "Number of decimals, from 0 to 6. Defaults to 0. Can't be changed later.",
    }),
  }),
});

builder.mutationField('assetCreate', (t) =>
  t.field({
    type: Asset,
    description: 'Creates a custom unit. An environment can have up to 50 units, including `credits`.',
    rest: { method: 'POST', path: '/assets', status: 201, view: 'Asset' },
    errors: [['duplicate', 'another unit has the same code']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: AssetCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createAsset(ctx, input),
  }),
);

const AssetUpdateInput = builder.inputType('AssetUpdateInput', {
  description: 'Parameters for changing a custom unit. Omitted fields keep their values.',
  fields: (t) => ({
    code: t.string({ required: true, description: own }),
    name: t.string({
      rule: shortName,
      description: 'Name of the unit, shown to customers. From 1 to 100 characters.',
    }),
    symbol: t.string({
      rule: symbolRule,
      description: 'Symbol of the unit. From 1 to 8 characters. `null` removes the symbol.',
    }),
  }),
});

builder.mutationField('assetUpdate', (t) =>
  t.field({
    type: Asset,
    description: "Changes the name or the symbol of a custom unit. `credits` can't be changed.",
    rest: { method: 'PATCH', path: '/assets/{code}', view: 'Asset' },
    errors: ['not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: AssetUpdateInput, required: true }) },
    resolve: (_root, { input: { code, ...changes } }, ctx) => updateAsset(ctx, code, changes),
  }),
);

const AssetArchiveInput = builder.inputType('AssetArchiveInput', {
  description: 'Parameters for archiving a custom unit.',
  fields: (t) => ({ code: t.string({ required: true, description: own }) }),
});

builder.mutationField('assetArchive', (t) =>
  t.field({
    type: Asset,
    description:
      "Archives a custom unit, so that plans and credit packs can no longer use it. Existing lots don't change. The code can't be reused.",
    rest: { method: 'DELETE', path: '/assets/{code}', view: 'Asset' },
    errors: ['not_found', ['price_in_use', 'a plan has a pool of the unit, or a credit pack sells it']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: AssetArchiveInput, required: true }) },
    resolve: (_root, { input }, ctx) => archiveAsset(ctx, input.code),
  }),
);
