import type { ApiError } from '../data/api-error.ts';
import type { shell } from '../words/en/shell.ts';
import { useWords } from '../words/words.ts';

/** The words of an error for people: what the service said, or that it said nothing. */
export function useErrorText(): (error: ApiError) => string {
  const { errors } = useWords<typeof shell>('shell');
  return ({ code, message }) => {
    if (code === 'rate_limited') return errors.rateLimited;
    return message === '' ? errors.fallback : message;
  };
}
