import type { FirstAnswer } from '../../web/page-renderer.ts';

/** Initial data of a page, or the reason why it isn't available. */
export type Begin<Data> = { readonly data: Data } | { readonly data: null; readonly isInvalid: boolean };

/** Converts the server's response to the initial data of a page. `invalidCodes` are the error codes for an invalid link. */
export const beginOf = <Data>({ data, code }: FirstAnswer, invalidCodes: readonly string[]): Begin<Data> =>
  data !== undefined
    ? // Result of the page's own query.
      { data: data as Data }
    : { data: null, isInvalid: code !== undefined && invalidCodes.includes(code) };

/** Maps a function over the initial data of a page. */
export const mapBegin = <From, To>(begin: Begin<From>, map: (data: From) => To): Begin<To> =>
  'isInvalid' in begin ? begin : { data: map(begin.data) };
