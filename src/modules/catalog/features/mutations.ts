import { code, name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { DeletedObject } from '../../../graphql/reading/deleted.ts';
import { featureRows, rejectInUse } from './store.ts';
import { Feature, FeatureType } from './types.ts';
import { updateFeature } from './update.ts';

const description = { maxLength: 2_000, multiline: true } as const;
const unitName = { maxLength: 100 } as const;

const FeatureCreateInput = builder.inputType('FeatureCreateInput', {
  description: 'Parameters for creating a feature.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Name of the feature, unique in the environment. From 1 to 200 characters.',
    }),
    code: t.string({
      required: true,
      rule: code,
      description:
        "Code of the feature, unique in the environment. From 1 to 50 lowercase letters, digits, and underscores. Can't be changed later.",
    }),
    type: t.field({
      type: FeatureType,
      required: true,
      description: "Type of the feature. Can't be changed later.",
    }),
    description: t.string({
      rule: description,
      description: 'Description of the feature. Up to 2,000 characters.',
    }),
    unitName: t.string({
      rule: unitName,
      description: 'Name of one unit, such as "request". Up to 100 characters.',
    }),
  }),
});

builder.mutationField('featureCreate', (t) =>
  t.field({
    type: Feature,
    description: 'Creates a feature.',
    rest: {
      method: 'POST',
      path: '/features',
      status: 201,
      view: 'Feature',
    },
    errors: [['feature_already_exists', 'another feature has the same code or name']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: FeatureCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => featureRows.create(ctx, input),
  }),
);

const FeatureUpdateInput = builder.inputType('FeatureUpdateInput', {
  description:
    'Parameters for changing a feature. Set at least one field in addition to `code`. Omitted fields keep their values.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'Code of the feature to change.' }),
    name: t.string({
      rule: name,
      description: 'Name of the feature, unique in the environment. From 1 to 200 characters.',
    }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Description of the feature. Up to 2,000 characters. `null` removes the description.',
    }),
    unitName: t.string({
      rule: { ...unitName, nullable: true },
      description: 'Name of one unit. Up to 100 characters. `null` removes the unit name.',
    }),
  }),
});

builder.mutationField('featureUpdate', (t) =>
  t.field({
    type: Feature,
    description:
      "Changes the name, description, or unit name of a feature. The code and type can't be changed.",
    rest: {
      method: 'PATCH',
      path: '/features/{code}',
      view: 'Feature',
    },
    errors: ['feature_not_found', ['feature_already_exists', 'another feature has the same name']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: FeatureUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateFeature(ctx, input),
  }),
);

const FeatureDeleteInput = builder.inputType('FeatureDeleteInput', {
  description: 'Parameters for deleting a feature.',
  fields: (t) => ({ code: t.string({ required: true, description: 'Code of the feature to delete.' }) }),
});

builder.mutationField('featureDelete', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Deletes a feature. Its code and name can be reused.',
    rest: {
      method: 'DELETE',
      path: '/features/{code}',
      view: 'DeletedObject',
    },
    errors: ['feature_not_found', ['feature_in_use', 'a plan or an add-on uses the feature']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: FeatureDeleteInput, required: true }) },
    resolve: (_root, { input }, ctx) =>
      featureRows.delete(ctx, input.code, (tx, { id }) => rejectInUse(tx, id)),
  }),
);
