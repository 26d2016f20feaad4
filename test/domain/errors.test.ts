import { expect, test } from 'vitest';
import { errorCodes, QuittanceError, validationError } from '../../src/domain/errors.ts';
import contract from '../contract/errors.json' with { type: 'json' };

/** Codes beyond the contract: of signed-in people and of cards a customer removes, which it does not know. */
const beyond = {
  reauthentication_required: { type: 'authentication_error', status: 403 },
  payment_method_in_use: { type: 'conflict_error', status: 409 },
};

test('every code of the contract exists with its type and status, and no other code does', () => {
  const expected = {
    ...Object.fromEntries(contract.codes.map(({ code, type, status }) => [code, { type, status }])),
    ...beyond,
  };
  const actual = Object.fromEntries(
    Object.entries(errorCodes).map(([code, { type, status }]) => [code, { type, status }]),
  );
  expect(actual).toEqual(expected);
  expect(Object.keys(actual)).toHaveLength(85);
});

test('each meaning is a sentence of its own', () => {
  const meanings = Object.values(errorCodes).map(({ meaning }) => meaning);
  for (const meaning of meanings) expect(meaning).toMatch(/^[A-Z].*\.$/);
  expect(new Set(meanings).size).toBe(85);
});

test('a validation error names the first problem and carries all', () => {
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
