import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
  type ObjectValueNode,
  TypeInfo,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { validationError } from '../../domain/errors/errors.ts';
import { type Issue, withoutInputName } from '../declare/rules.ts';
import { checkFields, oneOfIssues } from './check-input.ts';
import { literalViolation } from './leaf-values.ts';

// Converts GraphQL's type errors for invalid values to a single `validation_error` that lists each invalid input by path. Runs only after
// GraphQL has rejected a document or its variables.

type Input = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'extensions' | 'defaultValue'>;

/** First use of a variable: path and extensions of the input that receives the variable's value. */
type Usage = { readonly path: string; readonly extensions: Input['extensions'] };

/** Collects invalid literals in a document, and the inputs that use the document's variables. */
class ValueReader {
  readonly issues: Issue[] = [];
  /** AST nodes of the literals that have issues. */
  readonly nodes = new Set<ASTNode>();
  readonly usages = new Map<string, Usage>();

  #report(field: string, message: string, node: ASTNode): void {
    this.issues.push({ field, message });
    this.nodes.add(node);
  }

  field({ args }: GraphQLField<unknown, unknown>, node: FieldNode): void {
    for (const argument of node.arguments ?? []) {
      const definition = args.find(({ name }) => name === argument.name.value);
      if (definition === undefined) this.#report(argument.name.value, "isn't a supported field", argument);
      else this.#value(definition, definition.type, argument.value, definition.name);
    }
    const isAbsent = ({ name }: GraphQLArgument): boolean =>
      node.arguments?.some((argument) => argument.name.value === name) !== true;
    for (const argument of args)
      if (isRequiredArgument(argument) && isAbsent(argument))
        this.#report(argument.name, 'is required', node);
  }

  #value(input: Input, type: GraphQLInputType, node: ValueNode, path: string): void {
    if (node.kind === Kind.VARIABLE) {
      if (!this.usages.has(node.name.value))
        this.usages.set(node.name.value, { path, extensions: input.extensions });
    } else if (isNonNullType(type)) {
      if (node.kind === Kind.NULL) this.#report(path, 'is required', node);
      else this.#value(input, type.ofType, node, path);
    } else if (node.kind === Kind.NULL) {
      // Here the type is nullable, so `null` is valid.
    } else if (isListType(type)) {
      const items = node.kind === Kind.LIST ? node.values : [node];
      for (const [index, item] of items.entries())
        this.#value(input, type.ofType, item, node === item ? path : `${path}.${index}`);
    } else if (isInputObjectType(type)) {
      if (node.kind === Kind.OBJECT) {
        this.#members(type.getFields(), node, path);
        if (type.isOneOf) this.#oneOf(type, node, path);
      } else this.#report(path, 'must be an object', node);
    } else {
      const violation = literalViolation(type, node);
      if (violation !== null) this.#report(path, violation, node);
    }
  }

  #oneOf(type: GraphQLInputObjectType, node: ObjectValueNode, path: string): void {
    const sent = node.fields.map(
      ({ name, value }) => [name.value, value.kind === Kind.NULL ? null : value] as const,
    );
    for (const { field, message } of oneOfIssues(type, sent, path)) this.#report(field, message, node);
  }

  #members(members: Readonly<Record<string, GraphQLInputField>>, node: ObjectValueNode, path: string): void {
    for (const field of node.fields) {
      const name = field.name.value;
      const member = members[name];
      if (member === undefined) this.#report(`${path}.${name}`, "isn't a supported field", field);
      else this.#value(member, member.type, field.value, `${path}.${name}`);
    }
    for (const member of Object.values(members)) {
      const isAbsent = !node.fields.some(({ name }) => name.value === member.name);
      if (isAbsent && isRequiredInputField(member))
        this.#report(`${path}.${member.name}`, 'is required', node);
    }
  }
}

function readValues(schema: GraphQLSchema, document: DocumentNode): ValueReader {
  const reader = new ValueReader();
  const types = new TypeInfo(schema);
  const Field = (node: FieldNode): void => {
    const field = types.getFieldDef();
    if (field !== null && field !== undefined) reader.field(field, node);
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return reader;
}

/** Returns the errors for a document. Errors for invalid literals are combined into one error. */
export function namedErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly GraphQLError[],
): readonly GraphQLError[] {
  if (errors.length === 0) return errors;
  const { issues, nodes } = readValues(schema, document);
  if (issues.length === 0) return errors;
  const originalError = validationError(withoutInputName(issues));
  const named = new GraphQLError(originalError.message, { nodes: [...nodes], originalError });
  return [named, ...errors.filter((error) => error.nodes?.some((node) => nodes.has(node)) !== true)];
}

/** Returns a variable's declared type. `null` if the type doesn't exist or isn't an input type. */
function inputTypeOf(schema: GraphQLSchema, node: TypeNode): GraphQLInputType | null {
  if (node.kind === Kind.NAMED_TYPE) {
    const type = schema.getType(node.name.value);
    return isInputType(type) ? type : null;
  }
  const inner = inputTypeOf(schema, node.type);
  if (inner === null || node.kind === Kind.LIST_TYPE) return inner === null ? null : new GraphQLList(inner);
  return isNonNullType(inner) ? inner : new GraphQLNonNull(inner);
}

/** Returns the violations of types and rules in a variable's value. */
function variableIssues(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  usage: Usage | undefined,
  value: unknown,
): Issue[] {
  const name = usage?.path ?? definition.variable.name.value;
  const type = inputTypeOf(schema, definition.type);
  const issues: Issue[] = [];
  if (type === null) return issues;
  const input = { name, type, extensions: usage?.extensions ?? {}, defaultValue: definition.defaultValue };
  checkFields([input], value === undefined ? {} : { [name]: value }, '', 'variables', issues);
  return issues;
}

/** Throws a `validation_error` that lists all invalid variables by the path of the input that uses them. */
export function checkVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
): void {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  if (getVariableValues(schema, definitions, { ...variables }, { maxErrors: 1 }).errors === undefined) return;
  const { usages } = readValues(schema, document);
  const issues = definitions.flatMap((definition) => {
    const { value } = definition.variable.name;
    return variableIssues(schema, definition, usages.get(value), variables[value]);
  });
  if (issues.length > 0) throw validationError(withoutInputName(issues));
}
