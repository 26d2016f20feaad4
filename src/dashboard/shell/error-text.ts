import type { ApiError } from '../data/api-error.ts';
import { useWords } from '../words/words.ts';

/** Returns a function that converts an error to its text: the service's message, or a general message if the service sent none. */
export function useErrorText(): (error: ApiError) => string {
  const { errors } = useWords('shell');
  return ({ code, message }) => {
    if (code === 'rate_limited') return errors.rateLimited;
    return message === '' ? errors.fallback : message;
  };
}
