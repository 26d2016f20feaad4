import { describe, expect, test } from 'vitest';
import { newProviderRequest } from '../../src/domain/payments/provider-request.ts';
import {
  dayProblems,
  type VerificationAnswer,
  verificationAnswered,
} from '../../src/domain/payments/verification.ts';

const began = new Date('2027-03-01T10:00:00.000Z');
const later = new Date('2027-03-01T10:01:00.000Z');
const request = newProviderRequest('verification', 'pver_1', began);
const rejected: VerificationAnswer = {
  status: 'rejected',
  reasons: [{ field: 'document', code: 'unreadable', message: 'No.' }],
};

describe("a provider's result for a verification (PAY-38)", () => {
  test.each<VerificationAnswer>([{ status: 'unknown' }, { status: 'pending' }])(
    'keeps the verification pending if the result is %o',
    (answer) => {
      expect(verificationAnswered(request, answer, later)).toEqual({ request, decision: null });
    },
  );

  test.each<VerificationAnswer>([{ status: 'approved' }, rejected])(
    'decides the verification if the result is %o',
    (answer) => {
      const ended = { ...request, inquireAt: null, result: answer, answeredAt: later };
      expect(verificationAnswered(request, answer, later)).toEqual({ request: ended, decision: answer });
    },
  );

  test('is recorded after the final result, even if it contradicts that result', () => {
    const { request: over } = verificationAnswered(request, { status: 'approved' }, later);
    const repeat = (answer: VerificationAnswer) => verificationAnswered(over, answer, later);
    expect(repeat({ status: 'approved' })).toEqual({ request: { ...over, repeats: 1 }, decision: null });
    expect(repeat({ status: 'pending' })).toEqual({ request: { ...over, repeats: 1 }, decision: null });
    expect(repeat(rejected)).toEqual({
      request: { ...over, repeats: 1, contradiction: rejected },
      decision: null,
    });
  });
});

test.each([
  ['1990-02-28', '2027-03-01', []],
  ['2027-02-28', '2099-12-31', []],
  ['2027-03-01', '2099-12-31', ['person.birthDate']],
  ['1990-02-30', '2027-02-28', ['person.birthDate', 'document.expiresOn']],
  ['1990-13-01', '2027-02-29', ['person.birthDate', 'document.expiresOn']],
])(
  'the birth date %s and document expiration date %s have the expected problems',
  (birthDate, expiresOn, fields) => {
    expect(dayProblems(birthDate, expiresOn, began).map(({ field }) => field)).toEqual(fields);
  },
);
