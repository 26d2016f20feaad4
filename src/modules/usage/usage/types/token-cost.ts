import { builder } from '../../../../graphql/reading/builder.ts';
import { TokenClass } from '../../../catalog/ai-models/enums.ts';

const ClassCost = builder.objectRef<Stored.TokenCost['classes'][number]>('UsageTokenClassCost').implement({
  description: 'Cost of the tokens of one class.',
  fields: (t) => ({
    class: t.member('class', TokenClass).describe('Class of the tokens.'),
    tokens: t.member('tokens', 'SafeInt').describe('Number of tokens.'),
    price: t.member('price', 'Decimal').describe('Price per million tokens, in US dollars.'),
    amount: t.member('amount', 'Decimal').describe('Cost of the tokens, in US dollars. Not rounded.'),
  }),
});

export const TokenCost = builder.objectRef<Stored.TokenCost>('UsageTokenCost').implement({
  description: "Exact cost of the tokens of an AI model call, in US dollars. Amounts aren't rounded.",
  fields: (t) => ({
    classes: t.member('classes', [ClassCost]).describe('Cost by class. Contains only classes with tokens.'),
    cost: t.member('cost', 'Decimal').describe('Sum of the costs of all classes.'),
    margin: t.member('margin', 'Decimal').describe('Price of the event minus its cost.'),
    total: t.member('total', 'Decimal').describe('Price of the event: the cost plus the margin.'),
    priceVersion: t
      .member('version', 'String')
      .describe('Version of the model prices that determined the cost.'),
  }),
});
