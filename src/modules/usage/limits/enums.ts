import { builder } from '../../../graphql/reading/builder.ts';

export const LimitMeasure = builder.enumType('LimitMeasure', {
  description: 'Number of the usage that a limit bounds.',
  values: {
    units: { description: 'Quantity of one feature.' },
    spend: {
      description:
        'Amount that is billed after the usage, before tax: overage, and overdrafts of credits or a balance.',
    },
    value: { description: 'Price of the usage as if no units were included.' },
    drawn: { description: 'Amount deducted from credits, a custom unit, or a balance.' },
    calls: { description: 'Number of usage events.' },
  } as const,
});

export const LimitAction = builder.enumType('LimitAction', {
  description: 'Effect of usage that exceeds the amount of a limit.',
  values: {
    block: { description: 'The usage is rejected.' },
    notify: { description: 'The usage is accepted, and an event is sent.' },
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
    recross: { description: 'When the value is below the threshold again.' },
  } as const,
});

export const LimitSetter = builder.enumType('LimitSetter', {
  description: 'Person who set a limit.',
  values: {
    merchant: { description: 'The organization set the limit.' },
    customer: { description: 'The customer set the limit.' },
  } as const,
});

export const LimitCrossingKind = builder.enumType('LimitCrossingKind', {
  description: 'Type of a crossing.',
  values: {
    threshold: { description: 'The value reached a threshold.' },
    reached: { description: 'The value reached the amount, or usage was rejected.' },
  } as const,
});

export const LimitCrossingCause = builder.enumType('LimitCrossingCause', {
  description: 'Reason for which a limit was reached.',
  values: {
    amount: { description: 'The value reached the amount.' },
    rejected: { description: 'Usage was rejected, because it would have exceeded the amount.' },
  } as const,
});
