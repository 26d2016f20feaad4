import { id, type Payload, text, time } from './fields.ts';
import { aboutConsumer } from './shared.ts';

const hold: Payload = {
  ...aboutConsumer,
  holdId: id('hld', 'ID of the hold.'),
  featureCode: text('Code of the feature.', 'api_calls'),
};

const estimate: Payload = {
  ...hold,
  quantity: text('Reserved quantity, as a decimal.', '2000'),
  expiresAt: time('Time at which the hold expired.'),
};

const usageEventId = id('evt', 'ID of the usage event that settled the hold.');

/** Payloads of events about holds. */
export const holdPayloads = {
  'hold.expired': estimate,
  'hold.settled_late': { ...estimate, usageEventId },
  'usage.uncounted': {
    ...hold,
    usageEventId,
    quantity: text("Quantity that isn't charged, as a decimal.", '220'),
    amount: text(
      "Price that isn't charged, as a decimal in major units of the currency, or in the custom unit.",
      '2.2',
    ),
  },
};
