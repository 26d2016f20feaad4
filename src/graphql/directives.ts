import { type GraphQLDirective, type GraphQLNamedType, GraphQLSchema } from 'graphql';

// Directives that say more about a part of the schema than its type. They stand in `extensions.directives`, from where they are printed.

type Applied = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Extended = { readonly extensions?: unknown };

/** The directives of a part of the schema by name, each with its arguments. */
const appliedTo = ({ extensions }: Extended): Applied =>
  (extensions as { readonly directives?: Applied } | null | undefined)?.directives ?? {};

/** The arguments of a directive on a part of the schema; undefined where it has none of that name. */
export const directiveOn = (part: Extended, name: string): Readonly<Record<string, unknown>> | undefined =>
  appliedTo(part)[name];

/** The part with one more directive. */
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

/** The schema with directives that its parts carry, and the types of their arguments. */
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
