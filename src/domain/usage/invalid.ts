import type { Rejection } from '../errors/errors.ts';

/** Returns the rejection of an invalid field. */
export const invalid = (field: string, message: string): Rejection => ({
  code: 'validation_error',
  message,
  param: field,
  details: [{ field, message }],
});
