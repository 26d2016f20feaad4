/** Anything JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object whose keys belong to the caller. */
export type Metadata = { readonly [key: string]: Json };
