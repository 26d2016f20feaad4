import { plural } from '../language.ts';

/** What the list of add-ons says. */
export const addons = {
  text: 'What subscribers can add to their plan: each add-on sells one feature.',
  empty: 'There are no add-ons yet',
  new: 'New add-on',
  create: 'Create add-on',
  feature: 'Feature',
  featureHelp: 'A feature has at most one add-on. It never changes.',
  sells: (feature: string, model: string) => `Sells ${feature}. ${model}.`,
  model: 'How use is charged',
  models: { boolean: 'Not at all', metered: 'Metered', credits: 'By credits', balance: 'From the balance' },
  modelTexts: {
    boolean: 'The add-on costs its price and nothing else. Fits every plan.',
    metered: 'Included units of its own, then a price per unit. Fits metered plans.',
    credits: 'Units take credits of the plan. Fits credits plans.',
    balance: 'Units take money of the plan’s balance. Fits balance plans.',
  },
  price: 'Price per period',
  priceHelp: 'For one billing period of the plan, however long that is.',
  included: 'Included units',
  rate: 'Price of each further unit',
  credits: 'Credits each unit takes',
  creditCount: (count: number) => `${count} ${plural(count, 'credit', 'credits')}`,
  unit: 'unit',
  per: (unit: string) => `per ${unit}`,
  changeText:
    'Current subscribers pay a new price at renewal. More units and lower unit prices reach them at once, all else with the next period.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText:
    'Nobody can add it any more. It can be deleted once no subscription has it. This cannot be undone.',
};
