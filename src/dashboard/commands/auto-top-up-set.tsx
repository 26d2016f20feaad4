import { AutoTopUpFields } from './auto-top-up-fields.tsx';
import { parseRefill, type TopUpValues } from './auto-top-up-values.ts';
import { defineCommand } from './command.ts';
import { CommandAutoTopUpSetDocument } from './commands.graphql';
import { hasLots } from './lots.tsx';

export const autoTopUpSet = defineCommand({
  name: 'autoTopUpSet',
  group: 'allowances',
  applies: hasLots,
  initial: ({ target }): TopUpValues => ({
    asset: target ?? null,
    threshold: null,
    kind: 'amount',
    amount: null,
    goal: null,
    pack: '',
    quantity: 1,
    maxPerMonth: 5,
    maxAmountPerMonth: null,
    minPause: 1,
    consentReference: '',
  }),
  Fields: AutoTopUpFields,
  input: (values, { customer }) => {
    const { asset, threshold, maxPerMonth, maxAmountPerMonth, minPause, consentReference } = values;
    const refill = parseRefill(values);
    return asset === null ||
      threshold === null ||
      refill === null ||
      maxAmountPerMonth === null ||
      maxAmountPerMonth < 1 ||
      consentReference.trim() === ''
      ? null
      : {
          customerId: customer.id,
          asset,
          threshold,
          refill,
          maxPerMonth,
          maxAmountPerMonth,
          minPause,
          consentReference: consentReference.trim(),
        };
  },
  document: CommandAutoTopUpSetDocument,
});
