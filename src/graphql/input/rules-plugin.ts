import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLArgument, GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { oncePerField } from '../declare/places.ts';
import { type Forms, type Issue, type Rule, throwIssues, withoutInputName } from '../declare/rules.ts';
import { checkFields } from './check-input.ts';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      rules: RulesPlugin<Types>;
    }
    interface InputFieldOptions {
      rule?: Rule;
    }
    interface InputObjectTypeOptions {
      forms?: Forms;
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Pothos plugin that stores `rule` options in the schema and checks each field's arguments, over REST and GraphQL. */
class RulesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onInputFieldConfig(field: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    const { rule } = field.pothosOptions as { rule?: Rule };
    return rule === undefined ? field : { ...field, extensions: { ...field.extensions, rule } };
  }

  override onTypeConfig(type: PothosTypeConfig): PothosTypeConfig {
    const { forms } = type.pothosOptions as { forms?: Forms };
    return forms === undefined ? type : { ...type, extensions: { ...type.extensions, forms } };
  }

  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const hasArguments = Object.keys(field.args).length > 0;
    if (!hasArguments || field.kind === 'Subscription') return resolver;
    return field.kind === 'Query' || field.kind === 'Mutation' ? checked(resolver) : checkedOnce(resolver);
  }

  override wrapSubscribe(subscriber: Resolver<Types> | undefined): Resolver<Types> | undefined {
    return subscriber === undefined ? undefined : checked(subscriber);
  }
}

/** Checks the coerced arguments of a field. Throws a `validation_error` that lists all violations. */
export function checkArguments(definitions: readonly GraphQLArgument[], args: object): void {
  const issues: Issue[] = [];
  checkFields(definitions, { ...args }, '', 'coerced', issues);
  if (issues.length > 0) throwIssues(withoutInputName(issues));
}

const checkRequested = ({ parentType, fieldName }: GraphQLResolveInfo, args: object): void =>
  checkArguments(parentType.getFields()[fieldName]?.args ?? [], args);

function checked<Types extends SchemaTypes>(resolver: Resolver<Types>): Resolver<Types> {
  return (parent, args, ctx, info) => {
    checkRequested(info, args);
    return resolver(parent, args, ctx, info);
  };
}

/** Checks the arguments of a nested field once for all parents. */
function checkedOnce<Types extends SchemaTypes>(resolver: Resolver<Types>): Resolver<Types> {
  const check = oncePerField<void>();
  return (parent, args, ctx, info) => {
    check(info, () => checkRequested(info, args));
    return resolver(parent, args, ctx, info);
  };
}

SchemaBuilder.registerPlugin('rules', RulesPlugin);
