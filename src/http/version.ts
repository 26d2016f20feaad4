import { currentVersion } from '../context.ts';
import { validationError } from '../domain/errors.ts';

/**
 * The version a request selects: header, then the organization's pin, then the current one; versions nobody knows count as the current one (PLT-63).
 * Throws `validation_error` for a header that is no date. As long as there is one version, the answer is always that one.
 */
export function versionOf(header: string | null): string {
  if (header !== null && !/^\d{4}-\d{2}-\d{2}$/.test(header)) {
    throw validationError([{ field: 'Service-Version', message: 'must be a date such as 2026-08-27' }]);
  }
  return currentVersion;
}
