import type { GraphQLArgument, GraphQLInputField } from 'graphql';
import { validationError } from '../domain/errors.ts';

// What rules of inputs are, and where the built schema has them.

/** Shape rules of one input field; bounds are inclusive unless the name says otherwise. */
export type Rule = {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  readonly format?: 'email' | 'uri' | 'country';
  /** A text of several lines: line breaks and tabs are taken. Every other text with a rule is one line. */
  readonly multiline?: true;
  /** An address that may hold a user name and a password. */
  readonly credentials?: true;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Null is a value of its own here; elsewhere an optional field may be left out but not be null. */
  readonly nullable?: true;
  /** The REST default, shown in OpenAPI. */
  readonly default?: unknown;
  /** An input that only GraphQL knows: REST rejects it as an unknown field and OpenAPI leaves it out. */
  readonly graphqlOnly?: true;
};

/**
 * The forms an input object can have, chosen by its member `by`: for each the members it needs and those it may have. Members that belong to
 * other forms are rejected. OpenAPI shows an alternative per form.
 */
export type Forms = {
  readonly by: string;
  readonly members: Readonly<
    Record<string, { readonly required: readonly string[]; readonly optional?: readonly string[] }>
  >;
};

/** One violation: the caller's dotted path and what is wrong with it. */
export type Issue = { readonly field: string; readonly message: string };

/** A declared input: an argument or a member of an input object. */
export type Input = Pick<
  GraphQLArgument | GraphQLInputField,
  'name' | 'type' | 'extensions' | 'defaultValue'
>;

export const noRule: Rule = {};

/** The shape rules of an argument or input field of the built schema. */
export const ruleOf = (input: Pick<Input, 'extensions'>): Rule =>
  (input.extensions as { rule?: Rule }).rule ?? noRule;

/** The forms of an input object of the built schema; undefined where it has only one. */
export const formsOf = (type: { readonly extensions: object }): Forms | undefined =>
  (type.extensions as { forms?: Forms }).forms;

/** Throws `validation_error` with every issue when there is one; `param` names the first. */
export function throwIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw validationError(issues);
}

/** The issues of one field's arguments without the name of its input object, which REST callers do not see. */
export const withoutInputName = (issues: readonly Issue[]): Issue[] =>
  issues.map(({ field, message }) => ({ field: field.replace(/^input\.(?=.)/, ''), message }));
