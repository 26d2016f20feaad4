import { code, description, name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { setFeatureMeter } from './set-meter.ts';
import { featureRows, rejectInUse } from './store.ts';
import { meterInputs } from './types/meter-inputs.ts';
import { Feature, FeatureType } from './types.ts';
import { updateFeature } from './update.ts';

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

export const FeatureMeterSetInput = builder.inputType('FeatureMeterSetInput', {
  description: 'Parameters for setting the meter of a usage feature.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'Code or ID of the feature.' }),
    ...meterInputs(),
    recount: t.boolean({
      description:
        'Whether the dimensions also apply to open usage windows, whose stored events are then counted again. Only allowed if the meter adds dimensions and is equal otherwise. Defaults to `false`.',
    }),
  }),
});

builder.mutationField('featureMeterSet', (t) =>
  t.field({
    type: Feature,
    description:
      "Sets the meter of a usage feature: how events add up to the total of a usage window. A changed meter applies to each subscription from its next billing period. Added dimensions also apply to open usage windows if `recount` is `true`: usage windows with few events are counted again immediately, and all others in the background, with the event `meter.recounted` for each usage window. If the meter is invalid, `details.reason` of the error is `bad_meter`, and `details.problems` lists all problems. If a plan or an add-on requires a total that the aggregation can't provide, `details.reason` is `not_known_at_once`. A `source` must be another usage feature that has no source itself, and up to 20 features can have the same source.",
    rest: {
      method: 'PUT',
      path: '/features/{code}/meter',
      view: 'Feature',
    },
    errors: ['feature_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: FeatureMeterSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setFeatureMeter(ctx, input),
  }),
);

deletionField('featureDelete', {
  of: 'a feature',
  by: 'code',
  reference: 'Code of the feature to delete.',
  description: 'Deletes a feature. Its code and name can be reused.',
  path: '/features/{code}',
  errors: ['feature_not_found', ['feature_in_use', 'a plan or an add-on uses the feature']],
  access: { scope: 'write' },
  delete: (ctx, code) => featureRows.delete(ctx, code, (tx, { id }) => rejectInUse(tx, id)),
});
