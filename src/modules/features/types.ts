import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';

export const FeatureType = builder.enumType('FeatureType', {
  description: 'What kind of capability a feature is.',
  values: {
    boolean: { description: 'On or off; part of the plan base.' },
    usage: { description: 'Consumption that only grows within a window.' },
    seats: { description: 'Licenses assigned to people; persist across periods.' },
    quota: { description: 'A durable countable resource that rises and falls; persists across periods.' },
  } as const,
});

export const Feature = builder.prismaObject('Feature', {
  ...node({ prefix: 'ftr' }),
  description: 'A capability that plans contain on terms of their own.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `ftr_…`.' }),
    code: t.exposeString('code', {
      description: 'The identifier everywhere else; unique in the environment, never changed.',
    }),
    name: t.exposeString('name', { description: 'Unique in the environment.' }),
    type: t.expose('type', { type: FeatureType, description: 'Never changed.' }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    unitName: t.exposeString('unitName', {
      nullable: true,
      description: 'What one unit is called; null when not given.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    object: t.string({ description: 'Always `feature`.', resolve: () => 'feature' }),
    livemode: t.livemode(),
  }),
});

export const FeatureConnection = connectionOf('Feature', Feature, 'features');

restView('Feature', 'Feature', 'id name code type description unitName createdAt updatedAt object livemode');
