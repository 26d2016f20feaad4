/** A GraphQL operation as browser code holds it: its text, with the types of its result and its variables. Made from a `.graphql` file. */
export type Document<Result, Variables> = string & {
  readonly __result?: (variables: Variables) => Result;
};

/** The result of a document. */
export type ResultOf<D> = D extends Document<infer Result, never> ? Result : never;
