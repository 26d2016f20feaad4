import type { GraphQLArgument, GraphQLInputField } from 'graphql';
import { validationError } from '../../domain/errors/errors.ts';

// Validation rules for inputs. The schema stores them as extensions.

/** Validation rule for an input. Bounds are inclusive. */
export type Rule = {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  /** Strings that the rule rejects. */
  readonly notIn?: readonly string[];
  readonly format?: 'email' | 'uri' | 'country';
  /** Allows line breaks and tabs. Strings without this option must be a single line. */
  readonly multiline?: true;
  /** Allows a username and password in a URL. */
  readonly credentials?: true;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** True if `null` is a valid value that clears the stored value. Otherwise, an optional field can be omitted but can't be `null`. */
  readonly nullable?: true;
  /** Default value for the REST parameter, shown in OpenAPI. */
  readonly default?: unknown;
  /** Input that only GraphQL supports. REST rejects the input as an unknown field, and OpenAPI omits it. */
  readonly graphqlOnly?: true;
};

/**
 * Alternative forms of an input object. The field `by` selects the form. Each form has required and optional fields,
 * and rejects fields that belong only to other forms. OpenAPI describes each form separately.
 */
export type Forms = {
  readonly by: string;
  readonly members: Readonly<
    Record<string, { readonly required: readonly string[]; readonly optional?: readonly string[] }>
  >;
};

/** Rule violation: the input's dotted path, and a message that continues the input's name. */
export type Issue = { readonly field: string; readonly message: string };

export type Input = Pick<
  GraphQLArgument | GraphQLInputField,
  'name' | 'type' | 'extensions' | 'defaultValue'
>;

export const noRule: Rule = {};

/** Returns the validation rule for an input. */
export const ruleOf = (input: Pick<Input, 'extensions'>): Rule =>
  (input.extensions as { rule?: Rule }).rule ?? noRule;

/** Returns the forms of an input object. Undefined if the object has a single form. */
export const formsOf = (type: { readonly extensions: object }): Forms | undefined =>
  (type.extensions as { forms?: Forms }).forms;

/**
 * True if an input object changes a stored object. Omitted fields remain unchanged. `null` clears a value if the rule has `nullable`;
 * otherwise `null` is rejected. False for objects with forms, because such an object replaces the whole value.
 */
export const isChange = (type: { readonly name: string; readonly extensions: object }): boolean =>
  /(?:Update|Settings|Theme)Input$/.test(type.name) && formsOf(type) === undefined;

/** Throws a `validation_error` with all issues, if there are any. `param` is the field of the first issue. */
export function throwIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw validationError(issues);
}

/**
 * Returns the name of an input's only field. Throws `validation_error` for `field` unless the input has exactly one
 * field. Fields that are `null` don't count. GraphQL also validates this, but only if the client supports `@oneOf` inputs.
 */
export function onlyMember<T extends object>(input: T, field: string): Extract<keyof T, string> {
  const provided: Extract<keyof T, string>[] = [];
  for (const name in input) if (input[name] !== null && input[name] !== undefined) provided.push(name);
  const [only, ...others] = provided;
  if (only !== undefined && others.length === 0) return only;
  throw validationError([{ field, message: 'must have exactly one field' }]);
}

/** Removes the name of the input object from the paths of issues, because REST parameters have no enclosing object. */
export const withoutInputName = (issues: readonly Issue[]): Issue[] =>
  issues.map(({ field, message }) => ({ field: field.replace(/^input\.(?=.)/, ''), message }));
