declare module 'virtual:schema-identity' {
  /** Parts of the schema that a normalized cache needs. Generated when the browser code is built. */
  export const identity: {
    readonly roots: { readonly query: string; readonly mutation: string; readonly subscription: string };
    readonly possibleTypes: Readonly<Record<string, readonly string[]>>;
  };
}
