import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';

export const FeatureType = builder.enumType('FeatureType', {
  description: 'Type of a feature.',
  values: {
    boolean: { description: 'The feature is on or off and is included in the base price of the plan.' },
    usage: {
      description:
        'The feature counts consumption, such as API calls. The count restarts in each usage window.',
    },
    seats: {
      description: 'The feature counts seats assigned to people. Assignments persist across periods.',
    },
    quota: {
      description:
        'The feature counts a resource that customers add and remove. The count persists across periods.',
    },
  } as const,
});

export const Feature = builder.prismaObject('Feature', {
  ...node({ prefix: 'ftr' }),
  description: 'A capability of your product. Each plan that includes the feature sets its own terms.',
  fields: (t) => ({
    ...t.columns('id', 'code', 'name', 'type', 'description', 'unitName'),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('feature'),
  }),
});

export const FeatureConnection = connectionOf('Feature', Feature, 'features');

restView('Feature', 'Feature', 'id name code type description unitName createdAt updatedAt object livemode');
