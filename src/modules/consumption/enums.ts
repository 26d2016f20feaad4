import { builder } from '../../graphql/builder.ts';

export const ConsumptionPool = builder.enumType('ConsumptionPool', {
  description: 'What a movement changes.',
  values: {
    plan_credits: { description: 'Credits of the plan, which end with the window.' },
    purchased_credits: { description: 'Bought credits, which stay until used.' },
    money_balance: { description: 'Prepaid money, which ends with the window.' },
  },
});

export const ConsumptionEntryType = builder.enumType('ConsumptionEntryType', {
  description: 'Why a pool moved.',
  values: {
    grant: { description: 'The first window opened, or more is included since.' },
    reset: { description: 'A window opened: included again, or a deficit cleared.' },
    expiry: { description: 'A window ended: what was left is gone.' },
    consumption: { description: 'Something was used.' },
    purchase: { description: 'Credits were bought.' },
    topup: { description: 'Money was paid in.' },
    adjustment: { description: 'It was corrected manually.' },
  },
});

export const ConsumptionCause = builder.enumType('ConsumptionCause', {
  description: 'What is behind a movement.',
  values: {
    usage_event: { description: 'A usage event.' },
    invoice: { description: 'The invoice of a purchase.' },
    window: { description: 'The deadline that opened a window.' },
    raise: { description: 'The catalog, which includes more since the window opened.' },
    manual: { description: 'A request.' },
  },
});
