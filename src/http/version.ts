import { validationError } from '../domain/errors/errors.ts';
import { currentVersion } from '../request/context.ts';

/**
 * Validates the version header and returns the API version. There is only one version, which is returned even if the header contains an
 * unknown version (PLT-63). Throws `validation_error` if the header isn't a date.
 */
export function versionOf(header: string | null): string {
  if (header !== null && !/^\d{4}-\d{2}-\d{2}$/.test(header)) {
    throw validationError([{ field: 'Service-Version', message: 'must be a date such as 2026-08-27' }]);
  }
  return currentVersion;
}
