import { builder } from '../../../graphql/reading/builder.ts';

export const ConsumptionEntryType = builder.enumType('ConsumptionEntryType', {
  description: 'Type of a ledger entry for credits or a balance.',
  values: {
    grant: {
      description:
        'An amount was granted: at the start of the first usage window, because the included amount increased, or as a lot or customer credit.',
    },
    reset: {
      description:
        'A new usage window started. The included amount was granted again, or a negative balance was cleared.',
    },
    expiry: { description: 'A usage window or a lot ended, and the unused amount expired.' },
    consumption: { description: 'Usage of a feature was deducted.' },
    return: {
      description: 'Additional usage lowered the price of earlier usage, and the difference was returned.',
    },
    purchase: { description: 'Credits were purchased.' },
    topup: { description: 'The balance was topped up.' },
    adjustment: { description: 'The credits or the balance were adjusted manually.' },
    revoke: { description: 'A granted lot or a customer credit was revoked.' },
    applied: {
      description:
        'An amount was transferred to the overdraft to offset a negative balance, or an invoice used a customer credit.',
    },
    reversed: { description: 'A voided invoice returned the customer credit that it had used.' },
    rollover: { description: 'The unused amount of a usage window moved to a lot for later windows.' },
    refund: { description: 'A refund or a lost dispute removed the unused amount.' },
  },
});

export const ConsumptionCause = builder.enumType('ConsumptionCause', {
  description: 'Cause of a ledger entry for credits or a balance.',
  values: {
    usage_event: { description: 'The entry was caused by a usage event.' },
    invoice: { description: 'The entry was caused by the invoice of a purchase.' },
    window: { description: 'The entry was caused by the start of a usage window.' },
    raise: {
      description:
        'The entry was caused by a change in the catalog that increased the included amount of the current window.',
    },
    expiry: { description: 'The entry was caused by the end of a lot.' },
    manual: { description: 'The entry was caused by a manual adjustment or a granted lot.' },
  },
});
