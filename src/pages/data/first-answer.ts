import type { FirstAnswer } from '../../web/page-renderer.ts';

/** What a page begins with: what the service answered, or why it did not. */
export type Begin<Data> = { readonly data: Data } | { readonly data: null; readonly isInvalid: boolean };

/** What a page begins with; `invalidCodes` are those of a link that leads nowhere. */
export const beginOf = <Data>({ data, code }: FirstAnswer, invalidCodes: readonly string[]): Begin<Data> =>
  data !== undefined
    ? // The service answered the query of the page.
      { data: data as Data }
    : { data: null, isInvalid: code !== undefined && invalidCodes.includes(code) };

/** What a page begins with, in another shape. */
export const mapBegin = <From, To>(begin: Begin<From>, map: (data: From) => To): Begin<To> =>
  'isInvalid' in begin ? begin : { data: map(begin.data) };
