import { builder } from '../../graphql/builder.ts';

export const PayoutAccountStatus = builder.enumType('PayoutAccountStatus', {
  description: 'Whether the organization may take money out.',
  values: {
    none: { description: 'Nothing has been submitted.' },
    pending: { description: 'Being looked at.' },
    verified: { description: 'It may.' },
    rejected: { description: 'It may not; it can be submitted again.' },
  } as const,
});

export const BusinessType = builder.enumType('BusinessType', {
  description: 'Kinds of businesses.',
  values: {
    individual: { description: 'One person, in their own name.' },
    company: { description: 'A company or partnership.' },
    nonprofit: { description: 'An organization that makes no profit.' },
  } as const,
});

export const IdentityDocument = builder.enumType('IdentityDocument', {
  description: 'Documents people prove their identity with.',
  values: {
    passport: { description: 'A passport.' },
    national_id: { description: 'An identity card.' },
    driving_license: { description: 'A driving license.' },
    residence_permit: { description: 'A residence permit.' },
  } as const,
});

export const PayoutVerificationStatus = builder.enumType('PayoutVerificationStatus', {
  description: 'How far the verification of an organization is.',
  values: {
    not_started: { description: 'Nothing has been submitted.' },
    pending: { description: 'Being looked at.' },
    approved: { description: 'The organization may be paid.' },
    rejected: { description: 'It may not; it can be submitted again.' },
  } as const,
});
