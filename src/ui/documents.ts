/**
 * GraphQL operation in browser code: its text, with its result and variable types. Generated from a
 * `.graphql` file.
 */
export type Document<Result, Variables> = string & {
  readonly __result?: (variables: Variables) => Result;
};

export type ResultOf<D> = D extends Document<infer Result, never> ? Result : never;
