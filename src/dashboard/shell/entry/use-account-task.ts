import { useMemo, useState } from 'react';
import { ApiError, type FieldProblem } from '../../data/api-error.ts';
import { useWords } from '../../words/words.ts';
import { useErrorText } from '../error-text.ts';

/** State of a request to the account service. */
export type AccountTask = {
  /** Sends the request. Returns true if it succeeded. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly isRunning: boolean;
  /** Error message that doesn't belong to a field. `null` if there is no such error. */
  readonly problem: string | null;
  /** Validation errors for form fields. */
  readonly fields: readonly FieldProblem[];
};

/** Error codes of the account service that have their own text. */
const problems = new Map<string, 'tooMany' | 'passkeyCanceled' | 'passkeyKnown' | 'passkeyUnknown'>([
  ['rate_limited', 'tooMany'],
  ['passkey_canceled', 'passkeyCanceled'],
  ['passkey_known', 'passkeyKnown'],
  ['passkey_unknown', 'passkeyUnknown'],
]);

/** Sends requests to the account service and returns the error of the last request. */
export function useAccountTask(): AccountTask {
  const words = useWords('entry');
  const textOf = useErrorText();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const run = async (work: () => Promise<unknown>) => {
    setRunning(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(thrown);
      return false;
    } finally {
      setRunning(false);
    }
  };
  const isStale = error?.details.some(({ field }) => field === 'token') === true;
  const fields = useMemo(
    () =>
      (error?.details ?? [])
        .filter(({ field }) => field !== 'token')
        .map((each) => {
          if (each.field === 'currentPassword') return { ...each, message: words.passwordWrong };
          return each.field === 'code' ? { ...each, message: words.codeWrong } : each;
        }),
    [error, words],
  );
  if (error === null) return { run, isRunning, problem: null, fields };
  if (isStale) return { run, isRunning, problem: words.linkStale, fields };
  const own = problems.get(error.code);
  if (own !== undefined) return { run, isRunning, problem: words[own], fields };
  return { run, isRunning, problem: fields.length > 0 ? null : textOf(error), fields };
}
