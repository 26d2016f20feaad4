import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLField,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  isNonNullType,
} from 'graphql';
import { directiveOn, withDirective } from './directives.ts';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      nullability: NullabilityPlugin<Types>;
    }
  }
}

const name = 'semanticNonNull';

/**
 * Makes each root field of queries and mutations nullable, so that one that fails leaves the others as they are: a page keeps its other parts, and a
 * mutation that was committed tells its result. What was declared without null carries `@semanticNonNull`.
 */
export class NullabilityPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const isIsolated = field.kind === 'Query' || field.kind === 'Mutation';
    return isIsolated && !field.type.nullable
      ? withDirective({ ...field, type: { ...field.type, nullable: true } }, name, {})
      : field;
  }
}

SchemaBuilder.registerPlugin('nullability', NullabilityPlugin);

/** Whether a field of the built schema is null only together with an error. */
export const isNullOnlyOnError = (field: GraphQLField<unknown, unknown>): boolean =>
  isNonNullType(field.type) || directiveOn(field, name) !== undefined;

export const semanticNonNullDirective = new GraphQLDirective({
  name,
  description:
    'The field is null only where `errors` has an entry for its path. Clients that treat errors as failures can read its type as non-null.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt))),
      description: 'The levels of lists this is said of: 0 is the field itself, 1 the items of its list.',
      defaultValue: [0],
    },
  },
});
