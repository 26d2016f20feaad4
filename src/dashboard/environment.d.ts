declare module 'virtual:schema-identity' {
  /** What a normalized cache has to know of the schema; made while browser code is built. */
  export const identity: {
    readonly roots: { readonly query: string; readonly mutation: string; readonly subscription: string };
    readonly possibleTypes: Readonly<Record<string, readonly string[]>>;
  };
}
