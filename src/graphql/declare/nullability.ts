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
 * Pothos plugin that makes the root fields of queries and mutations nullable, so that a failed field doesn't remove the results of other
 * fields. Fields declared as non-null get `@semanticNonNull`.
 */
class NullabilityPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const isIsolated = field.kind === 'Query' || field.kind === 'Mutation';
    return isIsolated && !field.type.nullable
      ? withDirective({ ...field, type: { ...field.type, nullable: true } }, name, {})
      : field;
  }
}

SchemaBuilder.registerPlugin('nullability', NullabilityPlugin);

/** True if the field is `null` only after an error. */
export const isNullOnlyOnError = (field: GraphQLField<unknown, unknown>): boolean =>
  isNonNullType(field.type) || directiveOn(field, name) !== undefined;

export const semanticNonNullDirective = new GraphQLDirective({
  name,
  description:
    'The field is `null` only if `errors` has an entry for its path. Clients that treat errors as failures can treat the type as non-null.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt))),
      description:
        'List levels that the directive applies to: 0 for the field itself, 1 for the items of its list.',
      defaultValue: [0],
    },
  },
});
