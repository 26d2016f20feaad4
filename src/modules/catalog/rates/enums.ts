import { builder } from '../../../graphql/reading/builder.ts';

export const RateModel = builder.enumType('RateModel', {
  description: 'Pricing model of a rate.',
  values: {
    per_unit: { description: 'Each unit has the same price.' },
    graduated: {
      description:
        "The units inside each tier have the tier's price. Each tier that is entered adds its flat amount.",
    },
    volume: {
      description:
        'All units have the price of the tier that contains the quantity, and this tier adds its flat amount.',
    },
    package: {
      description:
        'Units are charged in packages of `per` units, and a partial package is charged in full. Packages can have tiers, as with `graduated`.',
    },
    stairs: { description: 'The price is the flat amount of the tier that contains the quantity.' },
  } as const,
});

export const RateLineKind = builder.enumType('RateLineKind', {
  description: 'Type of a line in the price of a quantity.',
  values: {
    units: { description: "Price of a tier's units, at the tier's price per unit." },
    flat: { description: 'Flat amount of a tier.' },
    package: { description: "Price of a tier's packages." },
    stairs: { description: 'Flat amount for the whole quantity.' },
    minimum: { description: 'Last part of the price, raised so that the price reaches the minimum.' },
    maximum: { description: 'Part of the price that is cut so that the price stays at the maximum.' },
    rest: {
      description:
        'Total price of all cells except the 50 with the highest prices, which have their own lines.',
    },
  } as const,
});

export const RateSource = builder.enumType('RateSource', {
  description: 'Source from which a rate or a cost is derived.',
  values: {
    cost: { description: "The feature's cost plus a margin. Only for rates." },
    ai_models: { description: 'The token prices of the AI model of each event. Only for costs.' },
  } as const,
});
