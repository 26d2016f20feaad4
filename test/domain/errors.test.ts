import { expect, test } from 'vitest';
import { errorCodes, QuittanceError, validationError } from '../../src/domain/errors/errors.ts';
import contract from '../contract/errors.json' with { type: 'json' };

/** Error codes that aren't in the contract: sign-in, removed cards, sandbox quotas and large responses. */
const additional = {
  reauthentication_required: { type: 'authentication_error', status: 403 },
  payment_method_in_use: { type: 'conflict_error', status: 409 },
  quota_exceeded: { type: 'conflict_error', status: 409 },
  response_too_large: { type: 'validation_error', status: 400 },
};

test("the error codes are the contract's codes and the additional codes, with their types and statuses", () => {
  const expected = {
    ...Object.fromEntries(contract.codes.map(({ code, type, status }) => [code, { type, status }])),
    ...additional,
  };
  const actual = Object.fromEntries(
    Object.entries(errorCodes).map(([code, { type, status }]) => [code, { type, status }]),
  );
  expect(actual).toEqual(expected);
  expect(Object.keys(actual)).toHaveLength(87);
});

test('two error codes never have the same meaning', () => {
  const meanings = Object.values(errorCodes).map(({ meaning }) => meaning);
  for (const meaning of meanings) expect(meaning).toMatch(/^[A-Z].*\.$/);
  expect(new Set(meanings).size).toBe(87);
});

test('a validation error describes the first problem and lists all of them', () => {
  const problems = [
    { field: 'address.country', message: 'Expected two letters.' },
    { field: 'email', message: 'Expected an address.' },
  ];
  expect(validationError(problems)).toBeInstanceOf(QuittanceError);
  expect(validationError(problems)).toMatchObject({
    code: 'validation_error',
    param: 'address.country',
    details: problems,
  });
  expect(() => validationError([])).toThrow('at least one problem');
});
