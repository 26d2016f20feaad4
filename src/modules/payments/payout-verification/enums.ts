import { builder } from '../../../graphql/reading/builder.ts';

export const PayoutAccountStatus = builder.enumType('PayoutAccountStatus', {
  description: 'Verification status of a payout account.',
  values: {
    none: { description: "The organization hasn't submitted its details." },
    pending: { description: 'The submitted details are in review.' },
    verified: { description: 'The organization can receive payouts.' },
    rejected: { description: "The organization can't receive payouts, but can submit its details again." },
  } as const,
});

export const BusinessType = builder.enumType('BusinessType', {
  description: 'Type of business.',
  values: {
    individual: { description: 'Individual or sole proprietor.' },
    company: { description: 'Company or partnership.' },
    nonprofit: { description: 'Nonprofit organization.' },
  } as const,
});

export const IdentityDocument = builder.enumType('IdentityDocument', {
  description: 'Type of an identity document.',
  values: {
    passport: { description: 'Passport.' },
    national_id: { description: 'National identity card.' },
    driving_license: { description: "Driver's license." },
    residence_permit: { description: 'Residence permit.' },
  } as const,
});

export const PayoutVerificationStatus = builder.enumType('PayoutVerificationStatus', {
  description: "Status of an organization's verification.",
  values: {
    not_started: { description: "The organization hasn't submitted its details." },
    pending: { description: 'The submitted details are in review.' },
    approved: { description: 'The organization can receive payouts.' },
    rejected: { description: "The organization can't receive payouts. It can submit its details again." },
  } as const,
});
