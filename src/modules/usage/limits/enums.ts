import { builder } from '../../../graphql/reading/builder.ts';

export const LimitMeasure = builder.enumType('LimitMeasure', {
  description: 'Number of the usage or of the operations that a limit bounds.',
  values: {
    units: { description: 'Quantity of one feature.' },
    spend: {
      description:
        'Amount that is billed after the usage, before tax: overage, and overdrafts of credits or a balance.',
    },
    value: { description: 'Price of the usage as if no units were included.' },
    drawn: { description: 'Amount deducted from credits, a custom unit, or a balance.' },
    calls: { description: 'Number of usage events.' },
    remaining: {
      description:
        "Available amount of a customer's credits, custom unit, or balance. The amount of the limit is a minimum.",
    },
    level: { description: 'Number of seats or quota units of one feature.' },
    money: {
      description:
        'Money that operations move, including tax: charges, refunds, payouts, credits and balance that are granted manually, credit notes, and voided invoices.',
    },
  } as const,
});

export const LimitAction = builder.enumType('LimitAction', {
  description: 'Effect of usage that exceeds the amount of a limit.',
  values: {
    block: { description: 'The usage is rejected.' },
    notify: { description: 'The usage is accepted, and an event is sent.' },
    approve: {
      description:
        'The usage is rejected until a member approves it, which raises the limit until its window ends.',
    },
    throttle: {
      description:
        'The usage is accepted. The response contains a delay that slows usage down to an even pace through the window.',
    },
  } as const,
});

export const LimitStatus = builder.enumType('LimitStatus', {
  description: 'Status of a limit.',
  values: {
    active: { description: 'The limit applies.' },
    counting: {
      description:
        'Past usage of the open window is being counted. Until then, the limit counts usage, but rejects none.',
    },
  } as const,
});

export const LimitWindowKind = builder.enumType('LimitWindowKind', {
  description: 'Time over which a limit sums usage.',
  values: {
    event: { description: 'One usage event.' },
    rolling: { description: 'Last `minutes` minutes. The window moves on by one step at a time.' },
    session: { description: '`minutes` minutes from the first usage after the previous session.' },
    fixed: { description: 'Consecutive spans of `minutes` minutes from `anchor`.' },
    day: { description: 'Calendar day in the time zone.' },
    week: { description: 'Calendar week in the time zone.' },
    month: { description: 'Calendar month in the time zone.' },
    usage_window: { description: 'Usage window of the subscription.' },
    billing_period: { description: 'Billing period of the subscription.' },
    lifetime: { description: 'All usage. The window never ends.' },
  } as const,
});

export const LimitRearm = builder.enumType('LimitRearm', {
  description: 'Time from which a threshold can be crossed again.',
  values: {
    window: { description: 'Start of the next window.' },
    recross: { description: 'When the value is on the other side of the threshold again.' },
    refill: {
      description:
        'When a reset, a top-up, a purchase, a grant, or a positive adjustment lifts the remaining amount above the threshold. Rolled over amounts and grants that expire in the usage window are excluded.',
    },
  } as const,
});

export const LimitLastAmount = builder.enumType('LimitLastAmount', {
  description: 'Amount of an account of which a threshold is a share.',
  values: {
    last_grant: { description: 'Amount that the plan granted in the usage window.' },
    last_refill: {
      description: 'Amount of the last reset, top-up, purchase, grant, or positive adjustment.',
    },
  } as const,
});

export const LimitChannel = builder.enumType('LimitChannel', {
  description: 'Way in which crossings of a limit are reported.',
  values: {
    webhook: { description: 'Webhook endpoints that include the event type.' },
    merchant_email: { description: 'Emails to the organization.' },
    customer_email: { description: 'Emails to the customer.' },
    portal: { description: 'The customer sees the limit in the portal.' },
  } as const,
});

export const LimitSetter = builder.enumType('LimitSetter', {
  description: 'Person who set a limit.',
  values: {
    merchant: { description: 'The organization set the limit.' },
    customer: { description: 'The customer set the limit.' },
  } as const,
});

builder.enumType('LimitCrossingKind', {
  description: 'Type of a crossing.',
  values: {
    threshold: { description: 'The value reached a threshold.' },
    reached: { description: 'The value reached the amount, or usage was rejected.' },
    resolved: { description: 'The remaining amount is above every crossed threshold again.' },
    anomaly: { description: 'The value of a day is unusual.' },
    overrun: { description: 'The settlement of a hold exceeded the amount.' },
  } as const,
});

export const LimitCrossingCause = builder.enumType('LimitCrossingCause', {
  description: 'Reason for which a limit was reached.',
  values: {
    amount: { description: 'The value reached the amount.' },
    rejected: { description: 'Usage was rejected, because it would have exceeded the amount.' },
  } as const,
});
