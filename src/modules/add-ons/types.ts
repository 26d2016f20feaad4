import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';

export const AddonConsumptionModel = builder.enumType('AddonConsumptionModel', {
  description: "How an add-on's units are paid for; decides which plans it fits.",
  values: {
    boolean: { description: 'Nothing is counted. Fits every plan.' },
    metered: { description: 'Units of its own, overage afterwards. Fits metered plans.' },
    credits: { description: "Units take credits of the plan's pool. Fits credits plans." },
    balance: { description: "Units take money of the plan's balance. Fits balance plans." },
  } as const,
});

export const Addon = builder.prismaObject('Addon', {
  ...node({ prefix: 'adn' }),
  description: 'An optional recurring extension of subscriptions by one feature.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `adn_…`.' }),
    name: t.exposeString('name', { description: 'Shown to customers.' }),
    slug: t.exposeString('slug', {
      description:
        'Made of the first name, unique in the environment; usable instead of the id. Never changed.',
    }),
    description: t.exposeString('description', { description: 'Empty when none was given.' }),
    basePrice: t.expose('basePriceMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'US cents per billing period of any length.',
    }),
    featureCode: t.fromRow('feature', {
      columns: ['code'],
      type: 'String',
      description: 'Code of the feature it sells.',
      resolve: ({ code }) => code,
    }),
    featureName: t.fromRow('feature', {
      columns: ['name'],
      type: 'String',
      description: 'Name of the feature it sells.',
      resolve: ({ name }) => name,
    }),
    feature: t.row('feature', { description: 'The feature it sells. Never changed.' }),
    consumptionModel: t.expose('consumptionModel', {
      type: AddonConsumptionModel,
      description: 'Never changed.',
    }),
    includedUnits: t.computed({
      type: 'SafeInt',
      description: 'Units per window without extra charge; 0 unless metered.',
      columns: ['includedUnits'],
      resolve: ({ includedUnits }) => includedUnits ?? 0n,
    }),
    overageRate: t.expose('overageRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Price of one further unit, 10 000 is 1.00 USD; null unless metered or balance.',
    }),
    creditCost: t.expose('creditCost', {
      type: 'SafeInt',
      nullable: true,
      description: 'Credits one unit takes; null unless the model is credits. Never changed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    object: t.string({ description: 'Always `addon`.', resolve: () => 'addon' }),
    livemode: t.livemode(),
  }),
});

export const AddonConnection = connectionOf('Addon', Addon, 'add-ons');

restView(
  'Addon',
  'Addon',
  `id name slug description basePrice featureCode featureName createdAt updatedAt consumptionModel includedUnits overageRate creditCost
  object livemode`,
);
