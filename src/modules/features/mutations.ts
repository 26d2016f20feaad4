import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { code, name } from '../../graphql/shapes.ts';
import { createFeature } from './create.ts';
import { deleteFeature } from './delete.ts';
import { Feature, FeatureType } from './types.ts';
import { updateFeature } from './update.ts';

const description = { maxLength: 2_000, multiline: true } as const;
const unitName = { maxLength: 100 } as const;

const FeatureCreateInput = builder.inputType('FeatureCreateInput', {
  description: 'A new feature.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Unique in the environment, 1 to 200 characters.',
    }),
    code: t.string({
      required: true,
      rule: code,
      description:
        'Unique in the environment: 1 to 50 lower-case letters, digits and underscores. It never changes.',
    }),
    type: t.field({ type: FeatureType, required: true, description: 'It never changes.' }),
    description: t.string({ rule: description, description: 'Up to 2 000 characters.' }),
    unitName: t.string({ rule: unitName, description: 'What one unit is called, up to 100 characters.' }),
  }),
});

builder.mutationField('featureCreate', (t) =>
  t.field({
    type: Feature,
    description: 'Defines a feature. `feature_already_exists` when another one has its code or name.',
    rest: {
      method: 'POST',
      path: '/features',
      status: 201,
      view: 'Feature',
      errors: ['feature_already_exists'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: FeatureCreateInput, required: true, description: 'The new feature.' }) },
    resolve: (_root, { input }, ctx) => createFeature(ctx, input),
  }),
);

const FeatureUpdateInput = builder.inputType('FeatureUpdateInput', {
  description: 'Changes to the texts of a feature, at least one; what is left out stays as it is.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'Code of the feature.' }),
    name: t.string({ rule: name, description: 'Unique in the environment, 1 to 200 characters.' }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Up to 2 000 characters; null empties it.',
    }),
    unitName: t.string({
      rule: { ...unitName, nullable: true },
      description: 'Up to 100 characters; null empties it.',
    }),
  }),
});

builder.mutationField('featureUpdate', (t) =>
  t.field({
    type: Feature,
    description:
      'Changes the texts of a feature; an empty change is a `validation_error`. Code and type never change.',
    rest: {
      method: 'PATCH',
      path: '/features/{code}',
      view: 'Feature',
      errors: ['feature_not_found', 'feature_already_exists'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: FeatureUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updateFeature(ctx, input),
  }),
);

const FeatureDeleteInput = builder.inputType('FeatureDeleteInput', {
  description: 'Which feature to delete.',
  fields: (t) => ({ code: t.string({ required: true, description: 'Code of the feature.' }) }),
});

builder.mutationField('featureDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Deletes a feature; `feature_in_use` while a plan or an add-on holds it. Its code and name are free again.',
    rest: {
      method: 'DELETE',
      path: '/features/{code}',
      view: 'DeletedObject',
      errors: ['feature_not_found', 'feature_in_use'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: FeatureDeleteInput, required: true, description: 'The feature.' }) },
    resolve: (_root, { input }, ctx) => deleteFeature(ctx, input.code),
  }),
);
