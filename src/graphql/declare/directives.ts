import { type GraphQLDirective, type GraphQLNamedType, GraphQLSchema } from 'graphql';

// Directives on schema elements, stored in `extensions.directives`. The schema printer reads this extension.

type Applied = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Extended = { readonly extensions?: unknown };

/** Returns the directives of a schema element by name, with their arguments. */
const appliedTo = ({ extensions }: Extended): Applied =>
  (extensions as { readonly directives?: Applied } | null | undefined)?.directives ?? {};

/** Returns the arguments of a directive on a schema element. Undefined if the element doesn't have the directive. */
export const directiveOn = (part: Extended, name: string): Readonly<Record<string, unknown>> | undefined =>
  appliedTo(part)[name];

/** Returns the schema element with an additional directive. */
export const withDirective = <T extends Extended>(
  part: T,
  name: string,
  args: Readonly<Record<string, unknown>>,
): T => ({
  ...part,
  extensions: {
    ...(part.extensions as object | null | undefined),
    directives: { ...appliedTo(part), [name]: args },
  },
});

/** Adds directive definitions, and the types of their arguments, to a schema. */
export function withDirectives(
  schema: GraphQLSchema,
  directives: readonly GraphQLDirective[],
  types: readonly GraphQLNamedType[],
): GraphQLSchema {
  const config = schema.toConfig();
  return new GraphQLSchema({
    ...config,
    types: [...config.types, ...types],
    directives: [...config.directives, ...directives],
  });
}
